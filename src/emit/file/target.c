/* target.c: the targets, one row each: all that differs between targets is a field. */
#include "emit/c/c.h"
#include "emit/cuda/cuda.h"
#include "emit/text/template.h"

#include <string.h>

static const Machine *core_of(const char *arch) {
    (void)arch;
    return machine_cpu();
}

/* The end of the head comment: how to make the test program, unless there is none. */
static void end_build(const EmitOptions *options, const char *test, Text *out) {
    text_printf(out, "%s. */\n\n", options->no_test ? "" : test);
}

static void build_c(const EmitOptions *options, const Program *programs, int count, Text *out) {
    (void)programs, (void)count;
    text_str(out, " *\n * Build: cc -O3 -march=native -ffp-contract=fast -fopenmp");
    end_build(options, "; add -DFUSEC_MAIN (and -lm) for a program\n * that tests and times it",
              out);
}

static void build_cuda(const EmitOptions *options, const Program *programs, int count, Text *out) {
    bool one_arch = false;
    for (int i = 0; i < count; i++) one_arch |= programs[i].one_arch;
    if (!one_arch) {
        text_printf(out, " *\n * Build for sm_%d or later: nvcc -O3 -arch=native, or NVRTC",
                    machine_gpu(options->arch)->sm);
        end_build(options, "; add -DFUSEC_MAIN for a program\n * that tests and times it", out);
        return;
    }
    text_str(out,
             " *\n * Build for sm_90a alone: nvcc -O3 -gencode=arch=compute_90a,code=sm_90a, or "
             "NVRTC");
    end_build(options, "; add\n * -DFUSEC_MAIN for a program that tests and times it", out);
    text_str(out, "#if defined __CUDA_ARCH__ && !defined __CUDA_ARCH_FEAT_SM90_ALL\n"
                  "#error \"this file is for sm_90a alone: "
                  "-gencode=arch=compute_90a,code=sm_90a\"\n"
                  "#endif\n\n");
}

/* ---- words that names of the user must not be ----------------------------------------------- */

/* Words of C and C++, since emitted C may be included in C++; and words of their library in the
 * text. */
#define LANGUAGE                                                                                   \
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl "     \
    "concept const consteval constexpr constinit continue not not_eq or or_eq requires xor "       \
    "xor_eq char8_t char16_t char32_t co_await co_return co_yield "                                \
    "decltype default delete do double else enum explicit export extern false float for "          \
    "friend goto if inline int long mutable namespace new noexcept nullptr operator "              \
    "private protected public register restrict return short signed sizeof static "                \
    "static_assert struct switch template this thread_local throw true try typedef "               \
    "typeid typename typeof union unsigned using virtual void volatile wchar_t while "             \
    "main std linux unix NULL INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL EOF FILE BUFSIZ DOMAIN "   \
    "SING OVERFLOW UNDERFLOW "                                                                     \
    "PLOSS TLOSS stdin stdout stderr errno size_t int8_t int16_t int32_t int64_t "                 \
    "uint8_t uint16_t uint32_t uint64_t abs exp log sin cos floor ceil sqrt pow erf "              \
    "tanh rint min max isnan memcpy memset malloc free printf clock time read write "              \
    "fabs rsqrt expm1 log1p fmod exp2 log2 "

/* Functions and macros of <math.h>, <complex.h>, <stdlib.h>, <string.h>, <strings.h>, <ctype.h>,
 * <wctype.h> and <stdio.h>, and others that compilers know without a header; then those of POSIX,
 * which an application would call the kernel in place of. */
#define LIBRARY                                                                                    \
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp "        \
    "exp2 exp10 expm1 fabs fdim finite floor fma fmax fmin fmod fpclassify frexp gamma "           \
    "gamma_r hypot ilogb isfinite isgreater isgreaterequal isinf isless islessequal "              \
    "islessgreater isnan isnormal isunordered j0 j1 jn ldexp lgamma lgamma_r llrint llround "      \
    "log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow "          \
    "pow10 remainder remquo rint round roundeven rsqrt scalb scalbln scalbn signbit "              \
    "significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn cabs cacos cacosh carg "      \
    "casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin "      \
    "csinh csqrt ctan ctanh abort abs alloca atexit atof atoi atol bsearch calloc div exit "       \
    "free getenv imaxabs labs ldiv llabs lldiv malloc mblen offsetof qsort raise rand "            \
    "realloc signal srand strtod strtol syscall system bcmp bzero ffs ffsl ffsll index "           \
    "memchr memcmp memcpy memmove mempcpy memset rindex stpcpy stpncpy strcasecmp strcat "         \
    "strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncasecmp strncat strncmp "     \
    "strncpy strndup strnlen strpbrk strrchr strsep strspn strstr strtok strxfrm isalnum "         \
    "isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "     \
    "isxdigit toascii tolower toupper fprintf fputc fputs fscanf fwrite printf putc putchar "      \
    "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct "            \
    "iswspace iswupper iswxdigit towlower towupper bcopy memccpy strsignal "                       \
    "puts scanf snprintf sprintf sscanf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf "       \
    "vsscanf dcgettext dgettext execl execle execv execvp fork gettext strfmon strftime "          \
    "accept access acct alarm bind brk chdir chmod chown close connect creat ctime daemon dup "    \
    "dup2 fclose fcntl fflush flock fopen fread fseek fstat fsync ftell getc getcwd getline "      \
    "getopt getpid getuid glob gmtime ioctl isatty kill link listen localtime lockf longjmp "      \
    "lseek lstat madvise mkdir mkfifo mkstemp mktime mlock mmap mount mprotect msync munmap "      \
    "nanosleep nice open openat opendir pause perror pipe poll popen pread profil putenv pwrite "  \
    "random readdir readlink readv realpath recv remove rename revoke rewind rmdir sbrk select "   \
    "send sendfile setbuf setenv setjmp shutdown sigaction signgam sleep socket srandom stat "     \
    "statfs strtof strtoll strtoul strtoull swab symlink sync syslog tee times truncate ttyname "  \
    "uint ulong umask uname ungetc unlink unsetenv ushort usleep utime vfork wait waitpid writev "

/* What CUDA adds to C++. */
#define CUDA_LANGUAGE                                                                              \
    "threadIdx blockIdx blockDim gridDim warpSize dim3 int2 int4 float2 float4 uint2 "             \
    "uint4 half "

/* Functions that CUDA's headers add. */
#define CUDA_LIBRARY                                                                               \
    "norm norm3d norm4d rnorm rnorm3d rnorm4d rhypot rcbrt normcdf normcdfinv erfinv "             \
    "erfcinv erfcx sincospi sinpi cospi cyl_bessel_i0 cyl_bessel_i1 "

#define PREFIXES "fx_", "fusec", "FUSEC", "FX_", "INT", "UINT", "FP_", "M_", "omp_"

static const char *const c_prefixes[] = {PREFIXES, NULL};
static const char *const cuda_prefixes[] = {PREFIXES, "CU_", "cuda", NULL};

/* ---- the rows -------------------------------------------------------------------------------- */

static const char *const c_preludes[] = {"c/lanes.h",
                                         "c/arithmetic.h",
                                         "c/functions.h",
                                         "c/random.h",
                                         "c/narrow.h",
                                         "c/memory.h",
                                         "c/masked.h",
                                         "c/strided.h",
                                         "c/reduce.h",
                                         "c/rows.h",
                                         "c/segments.h",
                                         "c/squares.h",
                                         "c/tiles_blocks.h",
                                         "c/tiles.h",
                                         "c/tiles_pack.h",
                                         "c/tiles_amx.h",
                                         "c/tiles_bytes.h",
                                         "c/tiles_bf16.h",
                                         "c/tiles_lines.h",
                                         "c/tiles_indirect.h",
                                         "c/tiles_results.h",
                                         "c/tiles_products.h",
                                         "c/tiles_weights.h",
                                         "c/gemv.h",
                                         NULL};
static const char *const cuda_preludes[] = {
    "cuda/types.cuh",    "cuda/arithmetic.cuh", "cuda/functions.cuh",
    "cuda/random.cuh",   "cuda/narrow.cuh",     "cuda/memory.cuh",
    "cuda/fma.cuh",      "cuda/order.cuh",      "cuda/reduce.cuh",
    "cuda/segments.cuh", "cuda/mma.cuh",        "cuda/mma_f32.cuh",
    "cuda/hopper.cuh",   "cuda/launch.cuh",     NULL};

/* With all that one program or another needs of them. */
static const char *c_shared(Arena *arena, const char *names) {
    Text out = text_new(arena);
    for (int i = 0; !names && c_preludes[i]; i++) text_str(&out, template_text(c_preludes[i]));
    if (!names) return text_get(&out);
    const char *words = arena_printf(arena, "%s FX_DEEP FX_TEN FX_COUNTED FX_ENDS", names);
    prelude_link(c_preludes, words, &out);
    return text_get(&out);
}

static const char c_types[] = "#include <stdint.h>\n\n"
                              "typedef uint16_t bf16, f16;\n"
                              "typedef uint8_t f8e4m3, f8e5m2, bool_t;\n\n";
/* CUDA's own declarations, without its headers. */
static const char cuda_types[] = "struct CUstream_st;\n"
                                 "typedef struct CUstream_st *cudaStream_t;\n\n";

const Target target_c = {
    .name = "c",
    .suffix = "c",
    .device = DEVICE_CPU,
    .language = IN_C,
    .templates = "c/",
    .preludes = c_preludes,
    .shared = c_shared,
    .words = LANGUAGE,
    .written =
        "workspace prepared stream lanes mine i j l u a_count a_size b_count b_size "
        "b_panels chunk chunk_rows chunk_row from square start stop to k_from k_size k_stop k_to "
        "row_max row_sum row_start col_start rows cols down strip at EACH_VECTOR EACH_FOUR_VECTORS "
        "few row column first left head spill next_row next_col strip_end k_block of_group "
        "EACH_IN_FLIGHT EACH_ROW_BLOCK block_rows vectors",
    .library = LIBRARY,
    .prefixes = c_prefixes,
    .test_memory = "host/cpu.c",
    .test_section = "FOR_CPU",
    .test_arguments = "",
    .machine = core_of,
    .function = emit_c_launcher,
    .prototypes = emit_c_prototypes,
    .header_types = c_types,
    .build = build_c};

const Target target_cuda = {
    .name = "cuda",
    .suffix = "cu",
    .device = DEVICE_CUDA,
    .language = IN_CUDA,
    .templates = "cuda/",
    .preludes = cuda_preludes,
    .words = LANGUAGE CUDA_LANGUAGE,
    .written = "workspace stream status i j l at_segment flat items k_left m_left n_left "
               "max_of_row sum_of_row tile_k active at_row at_k1 at_k2",
    .library = LIBRARY CUDA_LIBRARY,
    .prefixes = cuda_prefixes,
    .test_memory = "host/cuda.cu",
    .test_section = "FOR_CUDA",
    .test_arguments = ", 0", /* the stream */
    .machine = machine_gpu,
    .function = emit_cuda_launcher,
    .prototypes = emit_cuda_prototypes,
    .header_types = cuda_types,
    .build = build_cuda};

static const Target *const targets[] = {&target_cuda, &target_c};
enum { TARGETS = sizeof targets / sizeof *targets };

const Target *target_find(const char *name) {
    for (int i = 0; i < TARGETS; i++)
        if (!strcmp(targets[i]->name, name)) return targets[i];
    return NULL;
}

const Target *target_of_device(DeviceKind device) {
    for (int i = 0; i < TARGETS; i++)
        if (targets[i]->device == device) return targets[i];
    BUG("no target for device %d", (int)device);
}

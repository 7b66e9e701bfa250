/* identifier.c: names of the user made safe for C, C++ and CUDA text: not a word of those
 * languages, and not one that the generated text uses for itself. */
#include "sched/memory/memory.h"

#include <string.h>

/* Names that a C or CUDA compiler, or our own generated text, would take for something else: beside
 * the functions that the texts of the op table call. */
static const char reserved[] =
    " alignas alignof asm auto bool break case catch char class const constexpr continue"
    " decltype default delete do double else enum explicit export extern false float for"
    " friend goto if inline int long mutable namespace new noexcept nullptr operator private"
    " protected public register restrict return short signed sizeof static static_assert"
    " struct switch template this thread_local throw true try typedef typeid typename typeof"
    " union unsigned using virtual void volatile wchar_t while main linux unix stdin stdout"
    " stderr errno NULL INFINITY NAN idx MR NR GROUP PRODUCTS M_TILE N_TILE VL LANES EOF FILE"
    " BUFSIZ DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS LANE_NUMBERS bf16 f16 b1 f8e4m3"
    " f8e5m2 abs min max threadIdx blockIdx blockDim gridDim warpSize dim3 int2 int4 float2"
    " float4 half bool_t memcpy memset malloc free printf clock time read write VEC swizzled"
    " copy_chunk copy_async copy_wait copy_commit ldmatrix_x2 ldmatrix_x4 ldmatrix_x2_trans"
    " ldmatrix_x4_trans mma_bf16 mma_f16 mma_tf32 mma_i8 exp2_approx to_bf16x2 to_f16x2"
    " TensorMap Barrier Ring barrier_init barrier_arrive barrier_expect barrier_wait"
    " fence_barriers fence_async copy_tensor slot_descriptor wgmma_fence wgmma_commit"
    " wgmma_wait setmaxnreg_decrease setmaxnreg_increase tensor_map WIDE Pack Word Best Sum"
    " Prod Max Min Any All ArgMax DEVICE HOST_DEVICE float_bits bits_float i32_of i64_of"
    " i8_of u8_of odd_float encode_narrow decode_narrow load_pack store_pack is_aligned"
    " clamp_index is_better shuffle_xor warp_reduce block_reduce column_reduce warp_scan"
    " block_scan online_base online_step online_scale ceil_div ";

/* What functions of the generated text declare in themselves: names of tensors and dims live there
 * too, those of functions do not. */
static const char declared[] =
    " workspace lanes row col l u rest four stream scratch packed a_packed b_packed b_group cut"
    " m_blocks n_blocks m_first n_first k_first m_end n_end k_end row_sums sum_panel BLOCK m_stop "
    "n_stop m_start"
    " n_start m_last n_last m_rest m_panels start stop from first end panel panels tile"
    " tiles square sums to keys columns queries keys_at columns_at key_panels"
    " column_panels query_panel key_panel column_panel out_row out_tile thread_bytes"
    " scores maxima shifts shift factor clear largest row_max row_sum lane item items flat"
    " at valid part block active shared thread tx ty mm nn kk grid_n grid_m k_start sum"
    " tile_m tile_n tile_k warps_m warps_n warp_m warp_n stages steps step group i j by"
    " here moved next score weight out pair own_row is_last rows row_shift two q_slot"
    " k_slot v_slot q_tile k_tile v_tile weight_tile c_start at_c at_query at_key grid_c"
    " depth_steps column_steps depth_bytes column_bytes pieces_c m_tile n_tile n_next"
    " next_tile fetch_keys fetch_values fetch_queries sum_of_row max_of_row a_from b_from"
    " renewed k_bytes a_bytes b_bytes slot_bytes slot pieces_m pieces_n piece warp m_warp"
    " n_warp tiles_k tiles_m tiles_n fetch load multiply split a_part b_part a_term b_term"
    " strip pitch pack group_m group_n keep own chunk elements m_left n_left k_left"
    " at_batch at_m at_n at_k at_part at_row a_tile b_tile status grows is_masked sharer"
    " first_sharer row_at out_at row_values lane_values prepared panel_size a_size b_size"
    " a_count b_count a_panels b_panels row_least row_most slots"
    " full empty number start_of ring arrival box last a_rows b_rows part_n strip_bytes"
    " count ";

static bool has_digit_or_capital_only(const char *s) {
    for (; *s; s++)
        if (*s >= 'a' && *s <= 'z') return false;
    return true;
}

/* Loop axes and lane types (i0, f32, b1), and running sums (carry4). Other
 * generated names end in an underscore and digits. */
static bool looks_generated(const char *s) {
    static const char *const stems[] = {"i", "j", "f", "b", "u", "bf", "carry"};
    for (size_t k = 0; k < sizeof stems / sizeof *stems; k++) {
        size_t n = strlen(stems[k]);
        if (!strncmp(s, stems[k], n) && s[n] && strspn(s + n, "0123456789") == strlen(s + n))
            return true;
    }
    return false;
}

/* Functions of the generated text that end in a type: exp_f32, round_bf16_f64, f32_i64. */
static const char typed[] =
    " all_lanes and any_lanes argmax_lanes argmax_step asin_half at_least at_most atan_ratio"
    " clamp decode encode exp2_near exp_near expm1_near from get half_exp keep lanes ld"
    " ld_where lds lds_where less log1p_near log_edges log_split lookup16 max_lanes min_lanes"
    " mma mod_ln2 nearest not odd online_base online_lanes online_step or out pick power2"
    " prod_lanes put round_bf16 round_f16 round_f8e4m3 round_f8e5m2 same scale scan splat"
    " split st stream sum_lanes supplement tile_sums tile_sums_rows to transpose trig trunc"
    " widen widen_i8 widen_u8 with_sign ";
static const char types[] = " f64 f32 f16 bf16 f8e4m3 f8e5m2 i64 i32 i8 u8 b1 i8wrap u8wrap pairs ";

static bool is_word_of(const char *words, const char *name);

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Does the name stand in the text as a whole word, with this behind it? */
static bool is_in_text(const char *text, const char *name, const char *behind) {
    const size_t n = strlen(name);
    for (const char *at = text; at && (at = strstr(at, name)); at++)
        if ((at == text || !is_name_char(at[-1])) && !strncmp(at + n, behind, strlen(behind)))
            return true;
    return false;
}

/* Does a text of the op table call a function of that name: f( or, as a stem, f_$t( ? */
static bool is_op_function(const char *name, const char *behind) {
    for (int op = OP_NULL + 1; op < OP_COUNT; op++)
        for (int language = IN_C; language < IN_REFERENCE; language++) {
            const OpText *text = &op_info[op].text[language];
            if (is_in_text(text->real, name, behind) || is_in_text(text->whole, name, behind))
                return true;
        }
    return false;
}

static bool is_typed_function(const char *name, const char *tail) {
    char stem[24];
    size_t n = (size_t)(tail - name);
    if (!n || n >= sizeof stem || !tail[1] || !is_word_of(types, tail + 1)) return false;
    memcpy(stem, name, n);
    stem[n] = '\0';
    return is_word_of(typed, stem) || is_word_of(types, stem) || is_op_function(stem, "_$t(");
}

/* Words are between spaces. */
static bool is_word_of(const char *words, const char *name) {
    size_t n = strlen(name);
    for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
        if (at[-1] == ' ' && at[n] == ' ') return true;
    return false;
}

static bool is_number(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

static bool is_taken(const char *name) {
    if (is_word_of(reserved, name) || is_op_function(name, "(")) return true;
    const char *tail = strrchr(name, '_');
    static const char *const prefixes[] = {"fx_",  "fusec", "FUSEC", "FX_", "INT",
                                           "UINT", "FP_",   "M_",    "CU_", "cuda"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
    if (tail && is_number(tail + 1)) return true;
    if (tail && tail[1] == 'u' && is_number(tail + 2)) return true; /* scalars of the launcher */
    return name[0] == '_' || (tail && is_typed_function(name, tail));
}

/* The user's name where it is safe in C, C++ and CUDA, else with a mark. A dim keeps its capitals;
 * so does a tensor, but all-capital tensors could be macros. */
static const char *made_safe(Arena *arena, const char *name, bool taken, bool may_be_macro) {
    bool macro = may_be_macro && has_digit_or_capital_only(name) && strlen(name) > 1;
    taken = taken || is_taken(name) || looks_generated(name) || macro;
    return taken ? arena_printf(arena, "%s_", name) : name;
}

/* Functions of <math.h> and <stdlib.h>, which a function of the model would be declared beside;
 * those of <math.h> have relatives that end in f and l. */
static bool is_library_function(const char *name) {
    static const char functions[] =
        " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
        "expm1 "
        " fabs fdim floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint "
        " llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter "
        " pow remainder remquo rint round rsqrt scalb scalbn significand sin sincos "
        " sinh sqrt tan tanh tgamma trunc y0 y1 yn exp10 "
        " abort abs atexit atof atoi atol bsearch calloc div exit free getenv labs ldiv llabs "
        "lldiv "
        " malloc mblen qsort rand realloc srand strtod strtol system signal raise ";
    size_t n = strlen(name);
    char shorter[16];
    if (is_word_of(functions, name)) return true;
    if (n < 3 || n > sizeof shorter || (name[n - 1] != 'f' && name[n - 1] != 'l')) return false;
    memcpy(shorter, name, n - 1);
    shorter[n - 1] = '\0';
    return is_word_of(functions, shorter);
}

/* Functions that CUDA's headers add to those. */
static bool is_cuda_function(const char *name) {
    static const char functions[] =
        " norm norm3d norm4d rnorm rnorm3d rnorm4d rhypot rcbrt normcdf normcdfinv erfinv erfcinv "
        " erfcx sincospi sinpi cospi cyl_bessel_i0 cyl_bessel_i1 index ";
    return is_word_of(functions, name);
}

const char *plan_function_name(const Graph *g, const Machine *machine) {
    bool library = is_library_function(g->name) || !strncmp(g->name, "omp_", 4) ||
                   (machine_is_gpu(machine) && is_cuda_function(g->name)) ||
                   (strlen(g->name) > 2 && !strcmp(g->name + strlen(g->name) - 2, "_t"));
    return made_safe(g->arena, g->name, library, true);
}

/* With a number behind it a name meets no other, unless it starts like a word of ours or a macro.
 */
const char *plan_stem(const char *name) {
    enum { MOST = 24 };
    bool plain = name && name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= MOST;
    return plain && strncmp(name, "fx_", 3) != 0 ? name : NULL;
}

const char *plan_identifier(Arena *arena, const char *name, bool is_dim) {
    return made_safe(arena, name, is_word_of(declared, name), !is_dim);
}

/* program.c: main of the program that runs one function of an emitted .c file under an emulator.
 *
 *     PROGRAM INPUTS OUTPUTS SIZE.. < TENSORS
 *
 * TENSORS has a line "input|output NAME ELEMENT_BYTES COUNT" for each tensor, in the order of the
 * function's parameters; file INPUTS the bytes of the inputs one after the other, and OUTPUTS gets
 * those of the outputs. Each tensor ends where memory that may not be touched begins. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Defined behind the emitted text. */
long long program_workspace(const long long *sizes);
int program_call(void *const *tensors, const long long *sizes, void *workspace);

enum { MOST = 64, PAGE = 1 << 16 };

typedef struct Tensor {
    char kind[16];
    size_t bytes;
} Tensor;

static void stop(const char *why) {
    fprintf(stderr, "error: %s\n", why);
    exit(3);
}

/* All bits are set. The end is that of the pages if `align` is 1. */
static void *memory(size_t bytes, size_t align) {
    const size_t room = (bytes + PAGE) / PAGE * PAGE;
    char *at = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + room, PAGE, PROT_NONE)) stop("out of memory");
    memset(at, 0xff, room);
    return at + (room - bytes) / align * align;
}

static int tensors_read(FILE *inputs, Tensor *tensors, void **data) {
    size_t element, number;
    int count = 0;
    for (; count < MOST; count++) {
        Tensor *t = &tensors[count];
        if (scanf("%15s %*s %zu %zu", t->kind, &element, &number) != 3) break;
        t->bytes = element * number;
        data[count] = memory(t->bytes, 1);
        if (t->kind[0] == 'i' && fread(data[count], 1, t->bytes, inputs) != t->bytes)
            stop("the inputs are too short");
    }
    return count;
}

int main(int count, char **arguments) {
    if (count < 3) stop("usage: PROGRAM INPUTS OUTPUTS SIZE..");
    FILE *inputs = fopen(arguments[1], "rb"), *outputs = fopen(arguments[2], "wb");
    if (!inputs || !outputs) stop("the files of inputs and outputs cannot be opened");
    static Tensor tensors[MOST];
    static void *data[MOST];
    static long long sizes[MOST];
    const int number = tensors_read(inputs, tensors, data);
    for (int i = 3; i < count && i < MOST; i++) sizes[i - 3] = atoll(arguments[i]);
    const size_t bytes = (size_t)program_workspace(sizes);
    if (program_call(data, sizes, bytes ? memory(bytes, 64) : NULL)) stop("the sizes are refused");
    for (int i = 0; i < number; i++)
        if (tensors[i].kind[0] == 'o') fwrite(data[i], 1, tensors[i].bytes, outputs);
    if (fclose(outputs)) stop("the outputs cannot be written");
    return 0;
}

/* test_cubin.c: what a kernel uses, by a cubin: one that is made here, and every damage of a byte
 * of it. */
#include "runtime/runtime.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SECTIONS = 6, NAMES = 64, SYMBOLS = 2, INFO = 24 + 4 };

typedef struct Image {
    Elf64_Ehdr head;
    Elf64_Shdr section[SECTIONS];
    Elf64_Sym symbol[SYMBOLS];
    char names[NAMES];
    unsigned char info[INFO];
} Image;

/* sections: none, names, symbols, .nv.info, .nv.shared.f, .nv.shared.g */
static Image image_make(void) {
    Image m = {.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
                        .e_shoff = offsetof(Image, section),
                        .e_shnum = SECTIONS,
                        .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shstrndx = 1}};
    memcpy(m.names, "\0.nv.info\0.nv.shared.f\0.nv.shared.g\0f", 38);
    m.section[1] = (Elf64_Shdr){.sh_offset = offsetof(Image, names), .sh_size = NAMES};
    m.section[2] = (Elf64_Shdr){
        .sh_offset = offsetof(Image, symbol), .sh_size = sizeof m.symbol, .sh_link = 1};
    m.section[3] = (Elf64_Shdr){
        .sh_name = 1, .sh_offset = offsetof(Image, info), .sh_size = INFO, .sh_link = 2};
    m.section[4] = (Elf64_Shdr){.sh_name = 10, .sh_type = SHT_NOBITS, .sh_size = 4096};
    m.section[5] = (Elf64_Shdr){.sh_name = 23, .sh_type = SHT_NOBITS, .sh_size = 512};
    m.symbol[1].st_name = 36;
    /* one without content; then the registers and the frame of symbol 1 */
    const unsigned char info[INFO] = {3, 0x1b, 255, 0,    4, 0x2f, 8, 0, 1, 0, 0,  0, 40, 0,
                                      0, 0,    4,   0x11, 8, 0,    1, 0, 0, 0, 16, 0, 0,  0};
    memcpy(m.info, info, INFO);
    return m;
}

static void finds_its_use(void **state) {
    (void)state;
    const Image m = image_make();
    KernelUse use;
    assert_true(cubin_use(&m, sizeof m, "f", &use));
    assert_int_equal(use.registers, 40);
    assert_int_equal(use.local, 16);
    assert_int_equal(use.shared, 4096);
    assert_false(cubin_use(&m, sizeof m, "g", &use));
    assert_false(cubin_use("text", 4, "f", &use));
}

/* Any answer is fine; reads outside of the bytes are found by sanitizers. */
static void survives_damage(void **state) {
    (void)state;
    const Image m = image_make();
    KernelUse use;
    for (size_t size = 0; size <= sizeof m; size++) {
        unsigned char *part = malloc(size ? size : 1);
        assert_non_null(part);
        memcpy(part, &m, size);
        cubin_use(part, size, "f", &use);
        for (int bit = 0; size && bit < 8; bit++) {
            part[size - 1] ^= (unsigned char)(1 << bit);
            cubin_use(part, size, "f", &use);
        }
        free(part);
    }
    for (size_t i = 0; i < sizeof m; i++) {
        Image damaged = m;
        ((unsigned char *)&damaged)[i] = 0xff;
        cubin_use(&damaged, sizeof damaged, "f", &use);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_its_use),
                                       cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* cubin.c: what a kernel uses, by its machine code: no GPU is needed.
 * In: a cubin, an ELF file of NVIDIA's compiler, or several; all of it is untrusted. Out:
 * registers, and bytes of memory. */
#include "runtime/cuda.h"

#include <elf.h>
#include <string.h>

enum { FORM_SIZED = 4, ATTRIBUTE_FRAME = 0x11, ATTRIBUTE_REGISTERS = 0x2f };

/* The sections that are read:
 *
 *     .nv.info             attributes: {u8 form, u8 attribute, u16 size}, `size` bytes if form is 4
 *     .nv.shared.KERNEL    has the size of the kernel's static shared memory
 */

/* `size` bytes of a file. */
typedef struct Bytes {
    const unsigned char *at;
    size_t size;
} Bytes;

typedef struct Cubin {
    Bytes file, sections; /* sections: their headers */
    int section_count;
} Cubin;

static bool part_of(Bytes whole, uint64_t from, uint64_t size, Bytes *part) {
    if (from > whole.size || size > whole.size - from) return false;
    *part = (Bytes){whole.at + from, (size_t)size};
    return true;
}

static bool section_at(const Cubin *c, uint64_t number, Elf64_Shdr *section, Bytes *content) {
    *content = (Bytes){c->file.at, 0};
    if (number >= (uint64_t)c->section_count) return false;
    memcpy(section, c->sections.at + number * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           part_of(c->file, section->sh_offset, section->sh_size, content);
}

static bool is_text(Bytes strings, uint64_t offset, const char *text) {
    const size_t size = strlen(text) + 1;
    return offset < strings.size && size <= strings.size - offset &&
           !memcmp(strings.at + offset, text, size);
}

static bool cubin_open(Cubin *c, const void *bytes, size_t size, Bytes *names) {
    Elf64_Ehdr head;
    Elf64_Shdr section;
    *c = (Cubin){.file = {bytes, size}};
    if (size < sizeof head) return false;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_shentsize != sizeof section)
        return false;
    c->section_count = head.e_shnum;
    return part_of(c->file, head.e_shoff, (uint64_t)head.e_shnum * sizeof section, &c->sections) &&
           section_at(c, head.e_shstrndx, &section, names);
}

/* Is symbol `number` of table `table` the kernel? */
static bool is_symbol(const Cubin *c, uint32_t table, uint32_t number, const char *kernel) {
    Elf64_Shdr section, strings;
    Bytes symbols, names, one;
    Elf64_Sym symbol;
    if (!section_at(c, table, &section, &symbols) ||
        !part_of(symbols, (uint64_t)number * sizeof symbol, sizeof symbol, &one) ||
        !section_at(c, section.sh_link, &strings, &names))
        return false;
    memcpy(&symbol, one.at, sizeof symbol);
    return is_text(names, symbol.st_name, kernel);
}

static void read_attributes(const Cubin *c, uint32_t symbols, Bytes info, const char *kernel,
                            KernelUse *use) {
    enum { HEAD = 4 };
    uint32_t of[2]; /* symbol, value */
    Bytes value;
    for (size_t at = 0; at + HEAD <= info.size; at += HEAD + value.size) {
        const unsigned char *head = info.at + at;
        const size_t size = head[0] == FORM_SIZED ? (size_t)head[2] | (size_t)head[3] << 8 : 0;
        if (!part_of(info, at + HEAD, size, &value)) return;
        if (size != sizeof of) continue;
        memcpy(of, value.at, sizeof of);
        if (head[1] != ATTRIBUTE_FRAME && head[1] != ATTRIBUTE_REGISTERS) continue;
        if (!is_symbol(c, symbols, of[0], kernel)) continue;
        if (head[1] == ATTRIBUTE_REGISTERS)
            use->registers = (int)of[1];
        else
            use->local = (int)of[1];
    }
}

static bool part_use(const void *bytes, size_t size, const char *kernel, KernelUse *use) {
    static const char shared[] = ".nv.shared.";
    Cubin c;
    Bytes names, content, name;
    Elf64_Shdr section;
    *use = (KernelUse){-1, -1, 0};
    if (!cubin_open(&c, bytes, size, &names)) return false;
    for (int i = 0; i < c.section_count; i++) {
        if (!section_at(&c, (uint64_t)i, &section, &content)) return false;
        if (is_text(names, section.sh_name, ".nv.info"))
            read_attributes(&c, section.sh_link, content, kernel, use);
        if (part_of(names, section.sh_name, sizeof shared - 1, &name) &&
            !memcmp(name.at, shared, name.size) &&
            is_text(names, section.sh_name + name.size, kernel))
            use->shared = (int64_t)section.sh_size;
    }
    return use->registers >= 0;
}

bool cubin_use(const void *bytes, size_t size, const char *kernel, KernelUse *use) {
    const void *parts[NVRTC_PARTS_MOST];
    const char *end = (const char *)bytes + size;
    const int count = cuda_parts_find(bytes, size, parts);
    *use = (KernelUse){-1, -1, 0};
    for (int i = 0; i < count; i++)
        if (part_use(parts[i], (size_t)(end - (const char *)parts[i]), kernel, use)) return true;
    return false;
}

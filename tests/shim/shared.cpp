/* shared.cpp: shared memory. cuda.h makes __shared__ variables thread-local, so they lie in the TLS
 * segment, and the symbol table of the program says which there are. Dynamic shared memory is an
 * array there, of the most bytes a block may have, of which a launch opens a part. */
#include "runtime.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <map>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shim {

enum {
    POISON = 0xfb,
    MOST_STATIC = 48 << 10, /* bytes of a function's variables, on every GPU */
    MOST_BLOCKS = 8         /* of a cluster */
};

/* The i-th array of dynamic shared memory, NULL behind the last. Defined by the program. */
extern "C" void *shim_dynamic(int i);

static int find_segment(dl_phdr_info *info, size_t, void *to) {
    *(uintptr_t *)to = (uintptr_t)info->dlpi_tls_data;
    return 1; /* the program itself comes first */
}

/* "block_reduce<Sum, float>(float)::part": the function, "" where it is of none, and the variable. */
static std::pair<std::string, std::string> names_of(const char *symbol) {
    char *full = abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr);
    std::string name = full ? full : symbol;
    free(full);
    size_t colon = name.rfind("::");
    if (colon == std::string::npos) return {"", name};
    return {name.substr(0, colon), name.substr(colon + 2)};
}

static void add_symbols(const char *file, uintptr_t segment) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *section = (const Elf64_Shdr *)(file + head->e_shoff);
    std::map<std::string, size_t> bytes; /* of a function */
    for (int i = 0; i < head->e_shnum; i++) {
        if (section[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbol = (const Elf64_Sym *)(file + section[i].sh_offset);
        const char *names = file + section[section[i].sh_link].sh_offset;
        for (size_t j = 0; j < section[i].sh_size / sizeof *symbol; j++) {
            const Elf64_Sym &s = symbol[j];
            if (ELF64_ST_TYPE(s.st_info) != STT_TLS || !s.st_size) continue;
            const auto [function, name] = names_of(names + s.st_name);
            if (!function.empty() && (bytes[function] += s.st_size) > MOST_STATIC)
                fail(0, "%s has more than 48 KiB of static shared memory", function.c_str());
            region_add({name, Kind::shared, segment + s.st_value, s.st_size, 0});
        }
    }
}

static uintptr_t base; /* of shared addresses; leaves alignment as it is */

unsigned shared_address(const void *at) { return (unsigned)((uintptr_t)at - base); }
uintptr_t shared_place(unsigned address) { return base + address; }

void shared_find() {
    uintptr_t segment = 0;
    struct stat status;
    dl_iterate_phdr(find_segment, &segment);
    base = segment & ~(uintptr_t)4095;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (!segment || file < 0 || fstat(file, &status)) return;
    void *bytes = mmap(nullptr, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return;
    add_symbols((const char *)bytes, segment);
    munmap(bytes, (size_t)status.st_size);
}

static Region *region_at(const void *start) {
    for (Region &r : regions())
        if (r.at == (uintptr_t)start) return &r;
    return nullptr;
}

/* All such arrays are the same memory; a kernel knows one of them. */
void shared_open(const Config &config) {
    if (config.shared && !shim_dynamic(0))
        fail(0, "launch of %s with dynamic shared memory", config.kernel);
    for (int i = 0; shim_dynamic(i); i++) {
        Region *r = region_at(shim_dynamic(i));
        if (config.shared > r->room)
            fail(0, "launch of %s with %zu bytes of shared memory", config.kernel, config.shared);
        r->bytes = config.shared;
    }
}

/* ---- blocks of a cluster --------------------------------------------------------------------- */

/* What is known of a block's shared memory while that of another is shown, by region. */
struct Hidden {
    std::vector<std::vector<unsigned char>> bytes;
    std::vector<Cell *> cells;
};

static Hidden hidden[MOST_BLOCKS];
static int shown;

int shared_shown() { return shown; }

static void hide(Hidden &h, size_t i, Region &r) {
    if (h.cells.size() <= i) h.cells.push_back(nullptr), h.bytes.emplace_back();
    h.bytes[i].assign((unsigned char *)r.at, (unsigned char *)r.end());
    h.cells[i] = r.cells;
}

static void bring(Hidden &h, size_t i, Region &r) {
    if (h.cells.size() <= i) h.cells.push_back(nullptr), h.bytes.emplace_back();
    if (!h.cells[i]) h.cells[i] = (Cell *)calloc((r.room + 3) / 4, 4 * sizeof(Cell));
    if (!h.cells[i]) fail(0, "out of memory for cells");
    const size_t kept = h.bytes[i].size() < r.bytes ? h.bytes[i].size() : r.bytes;
    if (kept) memcpy((void *)r.at, h.bytes[i].data(), kept);
    r.cells = h.cells[i];
}

void shared_show(int block) {
    size_t i = 0;
    if (block == shown) return;
    for (Region &r : regions()) {
        if (r.kind != Kind::shared) continue;
        hide(hidden[shown], i, r);
        bring(hidden[block], i++, r);
    }
    shown = block;
}

enum : unsigned { WINDOW = 1u << 28 }; /* of addresses for each block */

unsigned cluster_address(unsigned address, int block) {
    return address % WINDOW + WINDOW * (unsigned)(block + 1);
}

unsigned address_within(unsigned address, int *block) {
    *block = (int)(address / WINDOW) - 1;
    return address % WINDOW;
}

void shared_poison() {
    for (int block = world.config->bounds.cluster; block-- > 0;) {
        shared_show(block);
        for (const Region &r : regions())
            if (r.kind == Kind::shared) memset((void *)r.at, POISON, r.bytes);
    }
}

} // namespace shim

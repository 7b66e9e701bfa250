/* cpu_cache.c: how large the last caches of all processors are together.
 * In: what Linux tells in a folder, as /sys/devices/system/cpu/cpu0/cache. Out: bytes. */
#include "runtime/runtime.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CACHE_DEFAULT = 32 << 20, LINE_MOST = 1024 };

/* The first line of "FOLDER/indexN/NAME"; "" if there is none. */
static void read_line(const char *folder, int index, const char *name, char line[LINE_MOST]) {
    snprintf(line, LINE_MOST, "%s/index%d/%s", folder, index, name);
    FILE *file = fopen(line, "re");
    if (!file || !fgets(line, LINE_MOST, file)) *line = '\0';
    if (file) fclose(file);
}

/* Of a map like "ff,0000ffff": how many processors have this cache in common. */
static int count_bits(const char *map) {
    int count = 0;
    for (; *map; map++) {
        const char digit[] = {*map, '\0'};
        if (!isxdigit((unsigned char)*map)) continue;
        for (long bits = strtol(digit, NULL, 16); bits; bits &= bits - 1) count++;
    }
    return count;
}

size_t cpu_cache_bytes(const char *folder, int processors) {
    char line[LINE_MOST];
    size_t most = 0;
    for (int index = 0; index < 10; index++) {
        char *unit;
        read_line(folder, index, "size", line);
        size_t bytes = (size_t)strtoul(line, &unit, 10);
        bytes <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
        read_line(folder, index, "shared_cpu_map", line);
        const int sharing = count_bits(line);
        if (sharing > 0) bytes *= (size_t)((processors + sharing - 1) / sharing);
        if (bytes > most) most = bytes;
    }
    return most;
}

/* glibc's figure is not asked for first: in a virtual machine on an AMD processor it is that of all
 * processors of the host. */
size_t cpu_cache_here(void) {
    const size_t known =
        cpu_cache_bytes("/sys/devices/system/cpu/cpu0/cache", (int)sysconf(_SC_NPROCESSORS_ONLN));
    if (known) return known;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes > 0) return (size_t)bytes;
#endif
    return CACHE_DEFAULT;
}

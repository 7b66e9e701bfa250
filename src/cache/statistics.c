/* statistics.c: what the processes that used a folder did: a line for each, at its end.
 * In: counts of a process. Out: a line of the file, or the sum of all lines. They are only looked
 * at, so that the file is beside the database: writing to that would cost a wait for the disk. */
#include "cache/cache_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MOST = 1024, FILE_MOST = 1 << 20 };

void counts_miss(Counts *counts, const char *field) {
    counts->misses++;
    for (int i = 0; i < REASONS_MOST; i++) {
        char *name = counts->reason[i].field;
        if (*name && strcmp(name, field)) continue;
        snprintf(name, REASON_SIZE, "%s", field);
        counts->reason[i].count++;
        return;
    }
}

/* Also in a locale with another decimal point. */
static void counts_print(const Counts *counts, char *line, size_t size) {
    const int64_t saved = (int64_t)(counts->saved * 1000 + 0.5);
    int at =
        snprintf(line, size,
                 "hits=%" PRId64 " misses=%" PRId64 " damaged=%" PRId64 " saved=%" PRId64 ".%03d",
                 counts->hits, counts->misses, counts->damaged, saved / 1000, (int)(saved % 1000));
    for (int i = 0; i < REASONS_MOST && *counts->reason[i].field; i++)
        at += snprintf(line + at, size - (size_t)at, " %s=%" PRId64, counts->reason[i].field,
                       counts->reason[i].count);
    snprintf(line + at, size - (size_t)at, "\n");
}

static char *file_name(const Cache *cache) {
    const size_t room = strlen(cache->folder) + sizeof "/statistics";
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s/statistics", cache->folder);
    return path;
}

/* A line is one write, which other processes do not interrupt. */
void counts_write(const Cache *cache) {
    char line[LINE_MOST];
    const Counts *c = &cache->counts;
    if (!c->hits && !c->misses && !c->damaged) return;
    char *path = file_name(cache);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    free(path);
    if (fd < 0) return;
    counts_print(c, line, sizeof line);
    if (lseek(fd, 0, SEEK_END) < FILE_MOST && write(fd, line, strlen(line)) < 0)
        errno = 0; /* they are only looked at */
    close(fd);
}

/* ---- the sum -------------------------------------------------------------------------------- */

static void add_reason(CacheStatistics *s, const char *field, int64_t count) {
    for (int i = 0; i < CACHE_REASONS_MOST; i++) {
        char *name = s->reason[i].field;
        if (*name && strcmp(name, field)) continue;
        snprintf(name, sizeof s->reason[i].field, "%s", field);
        s->reason[i].count += count;
        return;
    }
}

/* "name=number"; the names of fields may have blanks, so that a number ends an item. */
static const char *add_item(CacheStatistics *s, const char *at) {
    char name[REASON_SIZE], *end;
    const size_t size = strcspn(at, "=");
    const char *next = at + size + (at[size] == '=');
    const double value = strtod(next, &end);
    snprintf(name, sizeof name, "%.*s", (int)size, at);
    if (end == next || value < 0 || value > 1e15) return next + strlen(next); /* no line of ours */
    if (!strcmp(name, "hits"))
        s->hits += (int64_t)value;
    else if (!strcmp(name, "misses"))
        s->misses += (int64_t)value;
    else if (!strcmp(name, "damaged"))
        s->damaged += (int64_t)value;
    else if (!strcmp(name, "saved"))
        s->saved += value;
    else
        add_reason(s, name, (int64_t)value);
    return end + strspn(end, " \n");
}

/* The last one in a line: what a full disk has cut off stands before it. NULL: there is none. */
static const char *record_in(const char *line) {
    const char *at = NULL;
    for (const char *next = line; (next = strstr(next, "hits=")); next++) at = next;
    return at;
}

void cache_statistics(const Cache *cache, CacheStatistics *statistics) {
    char line[LINE_MOST];
    *statistics = (CacheStatistics){0};
    char *path = cache ? file_name(cache) : NULL;
    FILE *file = path ? fopen(path, "re") : NULL;
    free(path);
    while (file && fgets(line, sizeof line, file)) {
        const char *at = record_in(line);
        statistics->starts += at != NULL;
        while (at && *at) at = add_item(statistics, at);
    }
    if (file) fclose(file);
}

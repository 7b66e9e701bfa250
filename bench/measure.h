/* measure.h: what the CPU benchmarks share: a clock, medians, memory, facts about the machine. */
#ifndef FUSEC_MEASURE_H
#define FUSEC_MEASURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of this thread alone: what others take of the machine does not count. */
static inline double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void *allocate(size_t bytes) {
    void *memory = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);
    if (!memory) die("out of memory");
    memset(memory, 0, bytes);
    return memory;
}

static int by_value(const void *p, const void *q) {
    double u = *(const double *)p, v = *(const double *)q;
    return (u > v) - (u < v);
}

static double median(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, by_value);
    return (times[(count - 1) / 2] + times[count / 2]) / 2;
}

/* What follows `key` in a file of /proc; "unknown" when there is no such line. */
static void print_fact(const char *path, const char *key) {
    char line[256];
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        found = !strncmp(line, key, strlen(key));
    if (file) fclose(file);
    const char *value = found ? line + strlen(key) + strspn(line + strlen(key), "\t :") : "unknown";
    printf("%.*s", (int)strcspn(value, "\n"), value);
}

static void print_date(void) {
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("%s", date);
}

#endif

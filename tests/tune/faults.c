/* faults.c: candidates that crash, hang, compute a wrong result, or write where they must not: as
 * $FUSEC_TUNE_FAULT says, "MOMENT:ID:FAULT ..", with the moments of src/tune/serve.c (compile, run,
 * result, small, time, timed), the number of a candidate (* is any but the default, 1), and crash,
 * hang, wrong, overrun; slow: every time is reported ten times as long;
 * or waver: so many times are reported ten times as long, later ones as a
 * tenth. */
#include "tune/faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the default: alone, in the race of partitions, and when the winner is confirmed. */
static const int slow_times = 6 + 32 + 12;
static int reported;

static void commit(const char *fault, void *output) {
    unsigned char *bytes = output;
    if (!strcmp(fault, "crash")) raise(SIGSEGV);
    if (!strcmp(fault, "wrong") && bytes) bytes[3] ^= 0x40; /* the exponent of a float */
    if (!strcmp(fault, "overrun") && bytes) bytes[-1] ^= 1;
    while (!strcmp(fault, "hang")) pause();
    if (!strcmp(fault, "slow")) *(double *)output *= 10;
    if (!strcmp(fault, "waver")) *(double *)output *= reported++ < slow_times ? 10 : 0.1;
}

void fault_at(const char *moment, int id, void *output) {
    const char *all = getenv("FUSEC_TUNE_FAULT");
    char when[16], who[16], fault[16];
    int size;
    for (; all && sscanf(all, " %15[^:]:%15[^:]:%15[a-z]%n", when, who, fault, &size) == 3;
         all += size) {
        const int number = atoi(who);
        if (!strcmp(when, moment) && (number ? number == id : id != 1)) commit(fault, output);
    }
}

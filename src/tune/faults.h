/* faults.h: mistakes of candidates on purpose, in a worker that is built for tests. */
#ifndef FUSEC_TUNE_FAULTS_H
#define FUSEC_TUNE_FAULTS_H

#ifdef FUSEC_TUNE_FAULTS
/* Does what $FUSEC_TUNE_FAULT says at that moment: "run:3:crash time:4:hang result:5:wrong".
 * output: the memory of the last one; of a time, the seconds. */
void fault_at(const char *moment, int id, void *output);
#else
static inline void fault_at(const char *moment, int id, void *output) {
    (void)moment, (void)id, (void)output;
}
#endif

#endif

/* exit_status.c: what a command ends with. The table in docs/language.md, "Exit status", says more.
 */
#include "cli/command.h"

const char *const exit_statuses[] = {[STATUS_OK] = "done",
                                     [STATUS_WRONG] = "a file or a result is wrong",
                                     [STATUS_USAGE] = "the command line is wrong",
                                     [STATUS_REFUSED] = "the machine refused"};
const int exit_status_count = sizeof exit_statuses / sizeof exit_statuses[0];

bool is_misuse(Session *s) {
    s->is_misused = true;
    return false;
}

Status exit_status(const Session *s) {
    const Status status = diag_status(s->diag);
    return status == STATUS_WRONG && s->is_misused ? STATUS_USAGE : status;
}

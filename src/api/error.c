/* error.c: the last error of a thread, as a record.
 * In: a status and text, or a Diag, or a Recovery of recover.c. Out: the record, which allocates
 * nothing. */
#include "api/api.h"

#include <locale.h>
#include <stdio.h>

typedef struct ErrorRecord {
    FusecError error;
    char text[2048], file[512], argument[512];
} ErrorRecord;

static _Thread_local ErrorRecord last;

const FusecError *fusec_last_error(void) {
    if (!last.error.text) last.error.text = last.text;
    return &last.error;
}

const char *fusec_status_name(FusecStatus status) {
    static const char *const names[] = {
        [FUSEC_OK] = "FUSEC_OK",
        [FUSEC_WRONG_MODEL] = "FUSEC_WRONG_MODEL",
        [FUSEC_WRONG_ARGUMENT] = "FUSEC_WRONG_ARGUMENT",
        [FUSEC_WRONG_DIMS] = "FUSEC_WRONG_DIMS",
        [FUSEC_NOT_PREPARED] = "FUSEC_NOT_PREPARED",
        [FUSEC_BUSY] = "FUSEC_BUSY",
        [FUSEC_CANCELLED] = "FUSEC_CANCELLED",
        [FUSEC_REFUSED] = "FUSEC_REFUSED",
        [FUSEC_NO_MEMORY] = "FUSEC_NO_MEMORY",
        [FUSEC_BUG] = "FUSEC_BUG",
    };
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "FUSEC_UNKNOWN";
}

static void record(FusecStatus status, const char *format, va_list args) {
    char text[sizeof last.text + 4]; /* a code point that is cut at its end is not copied */
    vsnprintf(text, sizeof text, format, args);
    last.error = (FusecError){.status = status, .text = last.text};
    utf8_copy(last.text, sizeof last.text, text);
}

/* Cut to what there is room for. */
static const char *store(char *to, size_t size, const char *text) {
    snprintf(to, size, "%s", text);
    return to;
}

FusecStatus api_fail(FusecStatus status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(status, format, args);
    va_end(args);
    return status;
}

FusecStatus api_fail_argument(const char *argument, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(FUSEC_WRONG_ARGUMENT, format, args);
    va_end(args);
    last.error.argument = store(last.argument, sizeof last.argument, argument);
    return FUSEC_WRONG_ARGUMENT;
}

static void place(const Diag *diag, Span span) {
    if (span.file >= (uint32_t)diag->sources.count) return;
    const Source *source = &diag->sources.at[span.file];
    last.error.file = store(last.file, sizeof last.file, source->name);
    source_place(source, span.lo, &last.error.line, &last.error.column);
}

FusecStatus api_fail_at(FusecStatus status, const Diag *diag, Span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(status, format, args);
    va_end(args);
    place(diag, span);
    return status;
}

FusecStatus api_fail_memory(void) { return api_fail(FUSEC_NO_MEMORY, "out of memory"); }

static FusecStatus fail_refused(const Diag *diag) {
    FusecStatus status =
        api_fail(diag->no_memory ? FUSEC_NO_MEMORY : FUSEC_REFUSED, "%s", diag->refusal);
    last.error.device_lost = diag->device_lost;
    return status;
}

FusecStatus api_fail_diag(const Diag *diag) {
    if (diag->refusal) return fail_refused(diag);
    for (int i = 0; i < diag->messages.count; i++) {
        const Message *m = &diag->messages.at[i];
        if (m->severity == D_ERROR)
            return api_fail_at(FUSEC_WRONG_MODEL, diag, m->span, "%s", m->text);
    }
    return diag->errors ? api_fail(FUSEC_WRONG_MODEL, "the model is wrong") : FUSEC_OK;
}

FusecStatus api_fail_diag_as(const Diag *diag, FusecStatus of_error) {
    FusecStatus status = api_fail_diag(diag);
    if (status == FUSEC_WRONG_MODEL) status = last.error.status = of_error;
    return status;
}

/* ---- bodies ------------------------------------------------------------------------------- */

typedef struct Run {
    FusecStatus (*body)(void *of);
    void *of;
    FusecStatus status;
} Run;

static void run(void *of) {
    Run *b = of;
    b->status = b->body(b->of);
}

FusecStatus api_recover(FusecStatus (*body)(void *of), void *of) {
    Run b = {body, of, FUSEC_OK};
    Recovery why;
    if (recover(run, &b, &why)) return b.status;
    if (why.kind == LEFT_FOR_MEMORY) return api_fail_memory();
    api_fail(FUSEC_BUG, "a mistake in fusec, at %s:%d: %s", why.file, why.line, why.text);
    last.error.bug_file = why.file;
    last.error.bug_line = why.line;
    return FUSEC_BUG;
}

FusecStatus api_run(FusecStatus (*body)(void *of), void *of) {
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c) return api_fail_memory();
    const locale_t before = uselocale(c);
    FusecStatus status = api_recover(body, of);
    uselocale(before);
    freelocale(c);
    return status;
}

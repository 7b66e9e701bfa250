/* messages.c: diagnostics as records.
 * In: a Diag. Out: its messages with their places, in the format of the command, for the log of the
 * context and for the caller. */
#include "api/api.h"

#include <string.h>

static FusecSeverity severity_of(Severity severity) {
    static const FusecSeverity of[] = {[D_ERROR] = FUSEC_ERROR,
                                       [D_WARNING] = FUSEC_WARNING,
                                       [D_REMARK] = FUSEC_REMARK,
                                       [D_NOTE] = FUSEC_NOTE};
    return of[severity];
}

/* One message with the sources of all. */
static const char *rendered(Arena *arena, const Diag *diag, const Message *m) {
    Diag one = {.arena = arena, .sources = {diag->sources.at, diag->sources.count, 0}};
    Text text = text_new(arena);
    one.error_limit = 1;
    vec_push(arena, &one.messages, *m);
    diag_print(&one, &text, false);
    return text_get(&text);
}

/* A message may quote a text or a path that is not UTF-8. */
static FusecMessage message_of(Arena *arena, const Diag *diag, const Message *m) {
    FusecMessage message = {.severity = severity_of(m->severity),
                            .text = utf8_text(arena, m->text),
                            .rendered = rendered(arena, diag, m)};
    if (m->span.file >= (uint32_t)diag->sources.count) return message;
    const Source *source = &diag->sources.at[m->span.file];
    message.file = arena_strdup(arena, source->name);
    source_place(source, m->span.lo, &message.line, &message.column);
    message.offset = m->span.lo;
    message.size = m->span.hi - m->span.lo;
    return message;
}

static void collect(FusecMessages *all, const Diag *diag) {
    Arena *arena = all->handle.arena;
    Text text = text_new(arena);
    all->at = arena_array(arena, FusecMessage, diag->messages.count + 1);
    for (int i = 0; i < diag->messages.count; i++)
        all->at[all->count++] = message_of(arena, diag, &diag->messages.at[i]);
    if (diag->refusal) {
        const Message m = {D_ERROR, NOWHERE, diag->refusal};
        all->at[all->count++] = message_of(arena, diag, &m);
    }
    diag_print(diag, &text, false);
    all->text = text_get(&text);
}

typedef struct Collection {
    FusecMessages *all;
    const Diag *diag;
} Collection;

static void collect_body(void *of) {
    Collection *c = of;
    collect(c->all, c->diag);
}

static bool is_among(const Diag *told, const Message *m) {
    for (int i = 0; told && i < told->messages.count; i++) {
        const Message *other = &told->messages.at[i];
        if (other->severity == m->severity && other->span.file == m->span.file &&
            other->span.lo == m->span.lo && other->span.hi == m->span.hi &&
            !strcmp(other->text, m->text))
            return true;
    }
    return false;
}

/* The last may be a refusal, which is none of the messages of diag. */
static void log_new(const FusecContext *context, const Diag *diag, const Diag *told,
                    const FusecMessages *all) {
    const FusecContextOptions *o = &context->options;
    for (size_t i = 0; o->log && i < all->count; i++)
        if (i >= (size_t)diag->messages.count || !is_among(told, &diag->messages.at[i]))
            o->log(o->log_user, &all->at[i]);
}

void messages_deliver(const FusecContext *context, const Diag *diag, const Diag *told,
                      FusecMessages **messages) {
    const FusecContextOptions *o = &context->options;
    Recovery why;
    if (messages) *messages = NULL;
    if ((!messages && !o->log) || (!diag->messages.count && !diag->refusal)) return;
    FusecMessages *all =
        handle_new(context->host_allocator, 0, HANDLE_MESSAGES, sizeof(FusecMessages));
    if (!all) leave_for_memory(__FILE__, __LINE__);
    Collection c = {all, diag};
    if (!recover(collect_body, &c, &why)) {
        handle_free(&all->handle);
        leave(&why);
    }
    log_new(context, diag, told, all);
    if (messages)
        *messages = all;
    else
        handle_free(&all->handle);
}

/* ---- fusec.h ------------------------------------------------------------------------------ */

/* False also for NULL, which is no mistake: it has no messages. */
static bool is_messages(const FusecMessages *messages) {
    return messages && handle_is(messages, HANDLE_MESSAGES, "messages");
}

size_t fusec_messages_count(const FusecMessages *messages) {
    return is_messages(messages) ? messages->count : 0;
}

FusecStatus fusec_messages_get(const FusecMessages *messages, size_t index, FusecMessage *message) {
    if (!handle_is(messages, HANDLE_MESSAGES, "messages")) return FUSEC_WRONG_ARGUMENT;
    if (!message) return api_fail_argument("message", "message is NULL");
    if (index >= messages->count)
        return api_fail_argument("index", "index is %zu, of %zu messages", index, messages->count);
    *message = messages->at[index];
    return FUSEC_OK;
}

const char *fusec_messages_text(const FusecMessages *messages) {
    return is_messages(messages) ? messages->text : "";
}

void fusec_messages_release(FusecMessages *messages) {
    if (is_messages(messages) && handle_drop(&messages->handle)) handle_free(&messages->handle);
}

/* message.c: messages between the tuner and its workers: JSON, one line each, on a socket. */
#include "tune/tune.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 4096, LOOK_MS = 50 };

/* MSG_NOSIGNAL: an end that is closed is an error, and no SIGPIPE. */
static bool send_all(int fd, const char *data, size_t size) {
    while (size) {
        const ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) data += sent, size -= (size_t)sent;
    }
    return true;
}

bool message_send(int fd, const json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    const bool done = text && send_all(fd, text, strlen(text)) && send_all(fd, "\n", 1);
    free(text);
    return done;
}

/* The first line of what was received, if it is complete. */
static bool take_line(Channel *c, json_t **message) {
    const char *end = c->size ? memchr(c->data, '\n', c->size) : NULL;
    if (!end) return false;
    const size_t size = (size_t)(end - c->data) + 1;
    *message = json_loadb(c->data, size, 0, NULL);
    memmove(c->data, c->data + size, c->size - size);
    c->size -= size;
    return true;
}

static bool make_room(Channel *c) {
    if (c->room - c->size >= PIECE) return true;
    char *data = realloc(c->data, c->room + PIECE);
    if (!data) return false;
    c->data = data;
    c->room += PIECE;
    return true;
}

/* 1: there is something to read. 0: not within so many seconds. -1: an error. */
static int wait_for(int fd, double seconds) {
    struct pollfd poll_of = {fd, POLLIN, 0};
    const int ms = seconds > LOOK_MS * 1e-3 ? LOOK_MS : seconds > 0 ? (int)(1e3 * seconds) + 1 : 0;
    const int ready = poll(&poll_of, 1, ms);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

Received message_receive(Channel *c, double deadline, const volatile int *stop, json_t **message) {
    *message = NULL;
    while (!take_line(c, message)) {
        const double left = deadline - clock_now();
        if (stop && *stop) return RECEIVED_STOP;
        if (left <= 0) return RECEIVED_LATE;
        const int ready = wait_for(c->fd, left);
        if (!ready) continue;
        if (ready < 0 || !make_room(c)) return RECEIVED_END;
        const ssize_t size = recv(c->fd, c->data + c->size, c->room - c->size, 0);
        if (!size || (size < 0 && errno != EINTR)) return RECEIVED_END;
        if (size > 0) c->size += (size_t)size;
    }
    return *message ? RECEIVED : RECEIVED_END;
}

bool channel_is_readable(const Channel *c) {
    return (c->size && memchr(c->data, '\n', c->size)) || wait_for(c->fd, 0) != 0;
}

void channel_close(Channel *c) {
    if (c->fd >= 0) close(c->fd);
    free(c->data);
    *c = (Channel){.fd = -1};
}

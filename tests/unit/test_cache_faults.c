/* test_cache_faults.c: what happens to files: processes that are killed, disks that are full,
 * folders of others, damaged bytes, other versions. The cache is sound afterwards, or set aside and
 * begun anew, or off; each with at most one remark, and nothing fails. */
#define _XOPEN_SOURCE 700
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "fixture.h"

enum { CODE_SIZE = 30000, ENTRIES = 12, NOBODY = 65534 };

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void remove_all(void) { nftw("cache", remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static Cache *open_cache(void) {
    return cache_open(diag, &(CacheOptions){.folder = "cache", .build = "test", .wait_ms = 10000});
}

static KeyFields key_of(int number) {
    KeyField *fields = arena_array(arena, KeyField, 1);
    fields[0] = (KeyField){"source", arena_printf(arena, "source %d", number)};
    return (KeyFields){fields, 1};
}

static const KeyField about_fields[] = {{"model", "m"}, {"function", "f"}};
static const KeyFields about = {about_fields, 2};

/* Code that its number tells. */
static const char *code_of(int number) {
    char *code = arena_alloc(arena, CODE_SIZE + 1);
    for (int i = 0; i < CODE_SIZE; i++) code[i] = (char)('a' + (number + i) % 26);
    return code;
}

static void add(Cache *cache, int number) {
    const KeyFields key = key_of(number);
    CodeStore *store = cache_code_store(cache);
    if (store)
        store->add(store, diag, &(CodeEntry){key, about, code_of(number), CODE_SIZE, 0.5}, 1);
}

/* What is found is right: else the test fails. */
static bool finds(Cache *cache, int number) {
    const KeyFields key = key_of(number);
    CodeStore *store = cache_code_store(cache);
    void *bytes;
    size_t size;
    if (!store || !store->find(store, diag, &key, &about, &bytes, &size)) return false;
    assert_int_equal(size, CODE_SIZE);
    assert_memory_equal(bytes, code_of(number), CODE_SIZE);
    free(bytes);
    return true;
}

static bool add_trial(Cache *cache, int key_number, int number) {
    const KeyFields key = key_of(key_number);
    const CacheTrial trial = {.tile = arena_printf(arena, "m=%d", number), .median_ns = number};
    return cache_trial_add(cache, diag, &key, &trial);
}

static void fill(void) {
    Cache *cache = open_cache();
    for (int i = 0; i < ENTRIES; i++) add(cache, i);
    for (int i = 0; i < ENTRIES; i++) assert_true(add_trial(cache, 0, i));
    cache_close(cache);
}

/* Nothing is damaged. */
static void assert_sound(void) {
    CacheCheck check;
    Cache *cache = open_cache();
    assert_non_null(cache);
    assert_true(cache_check(cache, diag, arena, &check));
    assert_int_equal(check.damaged, 0);
    assert_string_equal(check.file, "ok");
    cache_close(cache);
}

static int remarks(void) {
    int count = 0;
    for (int i = 0; i < diag->messages.count; i++)
        count += diag->messages.at[i].severity == D_REMARK;
    assert_int_equal(count, diag->messages.count);
    assert_null(diag->refusal);
    return count;
}

static void execute(const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open("cache/fusec.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, 0, 0, 0), SQLITE_OK);
    sqlite3_close(db);
}

/* ---- processes ------------------------------------------------------------------------------ */

static void nap(long microseconds) { nanosleep(&(struct timespec){0, microseconds * 1000}, NULL); }

/* Runs for as long as it takes. */
static pid_t writer(int first, int count) {
    const pid_t pid = fork();
    if (pid) return pid;
    Cache *cache = open_cache();
    for (int i = first; i < first + count; i++) {
        add(cache, i);
        if (!add_trial(cache, first, i)) _exit(1);
    }
    cache_close(cache);
    _exit(0);
}

/* All trials up to the one during which it was killed. */
static int trials_without_hole(Cache *cache, int first) {
    const KeyFields key = key_of(first);
    const CacheTrials trials = cache_trials(cache, diag, arena, &key);
    for (int i = 0; i < trials.count; i++) assert_true(trials.at[i].median_ns == first + i);
    return trials.count;
}

static void killed_writers_leave_it_sound(void **state) {
    (void)state;
    enum { KILLS = 16, EACH = 1000 };
    int trials = 0;
    fill();
    for (int i = 1; i <= KILLS; i++) {
        const pid_t pid = writer(EACH * i, EACH);
        nap(1000 * i * i);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    assert_sound();
    Cache *cache = open_cache();
    for (int i = 0; i < ENTRIES; i++) assert_true(finds(cache, i));
    for (int i = 1; i <= KILLS; i++) trials += trials_without_hole(cache, EACH * i);
    assert_true(trials > 0);
    cache_close(cache);
    assert_int_equal(remarks(), 0);
    remove_all();
}

static void eight_processes_write_at_once(void **state) {
    (void)state;
    enum { PROCESSES = 8, EACH = 6 };
    pid_t pids[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) pids[i] = writer(EACH * i, EACH);
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        waitpid(pids[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_sound();
    Cache *cache = open_cache();
    for (int i = 0; i < PROCESSES * EACH; i++) assert_true(finds(cache, i));
    for (int i = 0; i < PROCESSES; i++) {
        const KeyFields key = key_of(EACH * i);
        assert_int_equal(cache_trials(cache, diag, arena, &key).count, EACH);
    }
    cache_close(cache);
    remove_all();
}

static void a_held_database_is_not_waited_for_twice(void **state) {
    (void)state;
    sqlite3 *db;
    fill();
    const CacheOptions options = {.folder = "cache", .wait_ms = 50};
    Cache *cache = cache_open(diag, &options);
    assert_int_equal(sqlite3_open("cache/fusec.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", 0, 0, 0), SQLITE_OK);
    for (int i = 0; i < 20; i++) assert_false(finds(cache, i));
    assert_int_equal(remarks(), 1);
    assert_non_null(strstr(said(), "another process holds it"));
    sqlite3_close(db);
    assert_true(finds(cache, 1));
    cache_close(cache);
    remove_all();
}

/* ---- disks and folders ---------------------------------------------------------------------- */

/* As when the disk is full: writes beyond `most` bytes of a file fail. */
/* As another process sees it: the lock that SQLite takes before it writes. */
static bool is_locked_for_writing(void) {
    const pid_t pid = fork();
    int status = 0;
    if (!pid) {
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000001, .l_len = 1};
        const int fd = open("cache/fusec.db", O_RDWR);
        _exit(!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* A process loses its locks on a file when it closes any descriptor of it. */
static void opening_it_again_loses_no_lock(void **state) {
    sqlite3 *db;
    (void)state;
    fill();
    assert_int_equal(sqlite3_open("cache/fusec.db", &db), 0);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", 0, 0, 0), 0);
    assert_true(is_locked_for_writing());
    Cache *cache = open_cache();
    assert_true(is_locked_for_writing());
    cache_close(cache);
    sqlite3_close(db);
    assert_sound();
    remove_all();
}

static void a_full_disk_stops_nothing(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    fill();
    for (rlim_t most = 0; most <= 600000; most += 60000) {
        struct rlimit before, limit;
        getrlimit(RLIMIT_FSIZE, &before);
        limit = before;
        limit.rlim_cur = most;
        setrlimit(RLIMIT_FSIZE, &limit);
        Cache *cache = open_cache();
        for (int i = 50; i < 60; i++) add(cache, i);
        for (int i = 0; cache && i < ENTRIES; i++) assert_true(finds(cache, i));
        cache_close(cache);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_in_range(remarks(), most < 400000, 1);
        diag = diag_new(arena, 100);
        assert_sound();
    }
    remove_all();
}

/* Runs `body` as another user, where this one is root; else as this one. */
static int as_nobody(void (*body)(void)) {
    const pid_t pid = fork();
    int status = -1;
    if (!pid) {
        if (!geteuid() && setuid(NOBODY)) _exit(77);
        body();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

static void read_only(void) {
    const CacheOptions options = {.folder = "cache"};
    Cache *cache = cache_open(diag, &options);
    if (!cache || !finds(cache, 3) || finds(cache, 99)) _exit(1);
    add(cache, 99);
    if (finds(cache, 99) || add_trial(cache, 0, 1)) _exit(2);
    cache_close(cache);
    if (remarks()) _exit(3);
}

static void own(const char *path, mode_t mode) {
    if (!geteuid()) assert_false(chown(path, NOBODY, NOBODY));
    assert_false(chmod(path, mode));
}

static void a_read_only_folder_is_read(void **state) {
    (void)state;
    fill();
    assert_false(chmod(folder, 0755));
    own("cache/fusec.db", 0400);
    own("cache/lock", 0400);
    own("cache", 0500);
    assert_int_equal(as_nobody(read_only), 0);
    chmod("cache", 0700);
    remove_all();
}

static void cannot_be_made(void) {
    Cache *cache = cache_open(diag, &(CacheOptions){.folder = "/proc/fusec"});
    if (cache || remarks() != 1) _exit(1);
}

static void a_folder_that_cannot_be_made_is_told(void **state) {
    (void)state;
    assert_int_equal(as_nobody(cannot_be_made), 0);
}

static void assert_refused(const char *why) {
    assert_null(open_cache());
    assert_int_equal(remarks(), 1);
    const char *text = said();
    if (!strstr(text, why)) print_error("%s", text);
    assert_non_null(strstr(text, why));
}

static void what_others_may_write_is_refused(void **state) {
    (void)state;
    fill();
    chmod("cache", 0770);
    assert_refused("can be written by others");
    chmod("cache", 0702);
    assert_refused("can be written by others");
    chmod("cache", 0700);
    chmod("cache/fusec.db", 0620);
    assert_refused("can be written by others");
    chmod("cache/fusec.db", 0600);
    if (!geteuid()) { /* only root can give files away */
        assert_false(chown("cache/fusec.db", NOBODY, NOBODY));
        assert_refused("belongs to another user");
        assert_false(chown("cache/fusec.db", 0, 0));
        assert_false(chown("cache", NOBODY, NOBODY));
        assert_refused("belongs to another user");
        assert_false(chown("cache", 0, 0));
    }
    assert_sound();
    remove_all();
}

/* Another process adds an entry between the two queries of this one: by its hash, and, as that
 * finds nothing, for what is nearest. */
static void what_was_added_meanwhile_has_a_reason(void **state) {
    (void)state;
    fill();
    execute("UPDATE binary SET hash = 0; DELETE FROM binary WHERE id > 1");
    Cache *cache = open_cache();
    for (int i = 0; i < 2; i++) assert_false(finds(cache, 0));
    cache_close(cache);
    cache = open_cache();
    CacheStatistics statistics;
    cache_statistics(cache, &statistics);
    assert_string_equal(statistics.reason[0].field, "new");
    assert_int_equal(statistics.reason[0].count, 2);
    cache_close(cache);
    remove_all();
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;

static unsigned random_below(unsigned most) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state % most);
}

static void flip(int flips) {
    struct stat st;
    int fd = open("cache/fusec.db", O_RDWR);
    assert_false(fstat(fd, &st));
    for (int i = 0; i < flips; i++) {
        unsigned char byte;
        const off_t at = (off_t)random_below(i % 3 ? (unsigned)st.st_size : 8192);
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= (unsigned char)(1u << random_below(8));
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
}

/* Every find is right or finds nothing; what is missing can be made again. */
static void damaged_bytes_are_never_used(void **state) {
    (void)state;
    size_t size;
    fill();
    const char *whole = get("cache/fusec.db", &size);
    for (int round = 0; round < 60; round++) {
        diag = diag_new(arena, 100);
        put("cache/fusec.db", whole, size);
        unlink("cache/fusec.db-journal");
        flip(1 + round % 12);
        Cache *cache = open_cache();
        for (int i = 0; i < ENTRIES; i++) finds(cache, i);
        assert_in_range(remarks(), 0, 1);
        if (!cache) { /* in the number of the version, or of the program */
            const char *text = said();
            assert_true(strstr(text, "newer version") || strstr(text, "another program"));
            continue;
        }
        CacheCheck check;
        cache_check(cache, diag, arena, &check);
        cache_close(cache);
        diag = diag_new(arena, 100);
        assert_sound();
    }
    remove_all();
}

/* A database that is none, or that was cut, is renamed, and a new one begun. */
static void a_damaged_file_is_set_aside(void **state) {
    (void)state;
    static const char garbage[] =
        "This is no database, but it is longer than the header of one is: "
        "a hundred bytes, and some more of them.";
    int status = 0;
    fill();
    put("cache/fusec.db", garbage, sizeof garbage);
    put("cache/fusec.db-journal", garbage, sizeof garbage);
    Cache *cache = open_cache();
    assert_non_null(cache);
    assert_int_equal(remarks(), 1);
    assert_non_null(strstr(said(), "is damaged: it was renamed to fusec.db.damaged-"));
    add(cache, 1);
    assert_true(finds(cache, 1));
    assert_true(cache_collect(cache, diag, 1 << 30, &status));
    assert_in_range(status, 1, 2); /* SQLite may have removed the journal */
    cache_close(cache);
    assert_sound();
    fill();
    assert_false(truncate("cache/fusec.db", 40960));
    cache = open_cache();
    for (int i = 0; i < ENTRIES; i++) finds(cache, i);
    for (int i = 0; i < ENTRIES; i++) add(cache, i);
    for (int i = 0; i < ENTRIES; i++) assert_true(finds(cache, i));
    assert_int_equal(remarks(), 1);
    cache_close(cache);
    assert_sound();
    remove_all();
}

/* SQLite says of it what it says of a wrong statement. */
static void a_format_that_is_none_is_damage(void **state) {
    enum { FORMAT = 47 }; /* the last byte of the number, in the header */
    (void)state;
    fill();
    const int fd = open("cache/fusec.db", O_WRONLY);
    assert_int_equal(pwrite(fd, "\xff", 1, FORMAT), 1);
    close(fd);
    Cache *cache = open_cache();
    assert_non_null(cache);
    assert_non_null(strstr(said(), "is damaged: it was renamed to fusec.db.damaged-"));
    cache_close(cache);
    assert_sound();
    remove_all();
}

/* While others have it open: they go on with the new file. */
static void a_replaced_file_is_opened_again(void **state) {
    (void)state;
    fill();
    Cache *first = open_cache(), *second;
    assert_true(finds(first, 1));
    put("cache/fusec.db", "broken", 6);
    second = open_cache();
    assert_non_null(second);
    add(second, 2);
    assert_true(finds(first, 2));
    assert_false(finds(first, 1));
    cache_close(first);
    cache_close(second);
    assert_sound();
    remove_all();
}

/* ---- versions ------------------------------------------------------------------------------- */

static void other_versions_are_known(void **state) {
    (void)state;
    fill();
    execute("PRAGMA user_version = 99");
    assert_refused("is of a newer version of fusec");
    execute("PRAGMA user_version = 3");
    assert_sound(); /* it was not touched */
    execute("PRAGMA user_version = 2");
    Cache *cache = open_cache();
    assert_non_null(cache);
    assert_non_null(strstr(said(), "is older: it was renamed to fusec.db.older-"));
    assert_false(finds(cache, 1));
    cache_close(cache);
    assert_sound();
    execute("PRAGMA application_id = 7");
    assert_refused("is a database of another program");
    remove_all();
}

/* Nothing that somebody has put into the file is run. */
static void a_foreign_schema_is_set_aside(void **state) {
    (void)state;
    static const char *const changes[] = {
        "CREATE TRIGGER t AFTER INSERT ON binary BEGIN DELETE FROM binary; END",
        "CREATE VIEW v AS SELECT * FROM binary", "ALTER TABLE binary ADD COLUMN more TEXT",
        "DROP TABLE note"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fill();
        execute(changes[i]);
        Cache *cache = open_cache();
        assert_non_null(cache);
        assert_non_null(strstr(said(), "is damaged: it was renamed"));
        cache_close(cache);
        assert_sound();
        remove_all();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(killed_writers_leave_it_sound),
        TEST(eight_processes_write_at_once),
        TEST(a_held_database_is_not_waited_for_twice),
        TEST(opening_it_again_loses_no_lock),
        TEST(a_full_disk_stops_nothing),
        TEST(a_read_only_folder_is_read),
        TEST(a_folder_that_cannot_be_made_is_told),
        TEST(what_others_may_write_is_refused),
        TEST(what_was_added_meanwhile_has_a_reason),
        TEST(damaged_bytes_are_never_used),
        TEST(a_damaged_file_is_set_aside),
        TEST(a_format_that_is_none_is_damage),
        TEST(a_replaced_file_is_opened_again),
        TEST(other_versions_are_known),
        TEST(a_foreign_schema_is_set_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

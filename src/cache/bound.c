/* bound.c: the size of the database.
 * In: a turn that writes. Out: what was not used for longest is gone, code before what was
 * measured, and nothing that is pinned. */
#include "cache/cache_private.h"

#include <sqlite3.h>

static int64_t number(Turn *turn, const char *sql) {
    sqlite3_stmt *query = turn_query(turn, sql, "");
    return turn_row(turn, query) ? sqlite3_column_int64(query, 0) : 0;
}

static int64_t bytes_used(Turn *turn) {
    const int64_t pages = number(turn, "PRAGMA page_count") - number(turn, "PRAGMA freelist_count");
    return pages * number(turn, "PRAGMA page_size");
}

/* Down to nine tenths, so that not every new entry drops an old one. */
static void drop_until(Turn *turn, const char *drop, int64_t most) {
    for (int64_t entries = 1, last = -1; !turn->status && bytes_used(turn) > most;) {
        turn_do(turn, drop, "i", entries);
        if (sqlite3_total_changes64(turn->cache->db) == last) return;
        last = sqlite3_total_changes64(turn->cache->db);
        entries *= 2;
    }
}

void bound_keep(Turn *turn) {
    const int64_t most = turn->cache->most_bytes;
    if (turn->status || bytes_used(turn) <= most) return;
    drop_until(turn,
               "DELETE FROM binary WHERE id IN (SELECT id FROM binary ORDER BY used, id LIMIT ?)",
               most / 10 * 9);
    drop_until(turn,
               "DELETE FROM tuning WHERE id IN (SELECT id FROM tuning WHERE pinned IS NOT 1 "
               "ORDER BY used, id LIMIT ?)",
               most / 10 * 9);
    turn_do(turn, "PRAGMA incremental_vacuum(1024)", "");
}

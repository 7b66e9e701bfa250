/* flags.cpp: flags in memory by which a block learns what earlier blocks of the launch have done: a
 * release store sets one, an acquire load waits for it. Blocks run one after the other: who waits
 * for a flag that none of those before has set waits for ever. */
#include "runtime.h"

#include <string.h>

namespace shim {

struct Flag {
    uintptr_t at;
    uint32_t block_epoch, epoch; /* when its block started, and when it was set */
    std::vector<uint32_t> seen;  /* what the thread that set it knew */
};

static std::vector<Flag> flags; /* of the launch */

void flags_forget() { flags.clear(); }

size_t flags_count() { return flags.size(); }

void flag_set(uintptr_t at, unsigned value, Place place) {
    Thread &t = *world.running;
    memory_access(at, sizeof value, Access::atomic, true, place);
    memcpy((void *)at, &value, sizeof value);
    t.seen[(size_t)t.number] = ++world.now;
    t.knows = true;
    flags.push_back({at, world.block_epoch, world.epoch, t.seen});
}

unsigned flag_read(uintptr_t at, Place place) {
    Thread &t = *world.running;
    unsigned value;
    memory_access(at, sizeof value, Access::atomic, true, place);
    memcpy(&value, (void *)at, sizeof value);
    if (!value) fail(place, "waits for a flag that no block before has set");
    for (size_t i = 0; i < flags.size(); i++) {
        if (flags[i].at != at) continue;
        if (flags[i].block_epoch == world.block_epoch)
            learn(t.seen, flags[i].seen);
        else
            t.seen[(size_t)world.count + i] = 1;
        t.knows = true;
    }
    return value;
}

bool flags_order(const Thread &t, const Cell &written) {
    for (size_t i = 0; (size_t)world.count + i < t.seen.size(); i++) {
        const Flag &f = flags[i];
        if (!t.seen[(size_t)world.count + i] || written.write_epoch < f.block_epoch) continue;
        if (written.write_epoch < f.epoch) return true;
        if (written.write_epoch == f.epoch && f.seen[written.writer] > written.write_time)
            return true;
    }
    return false;
}

} // namespace shim

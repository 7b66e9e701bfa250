/* history.cpp: which launch and which block an epoch belongs to, so that messages can say who
 * touched a byte before. */
#include "runtime.h"

#include <algorithm>

namespace shim {

struct Start {
    uint32_t epoch;
    std::string kernel;
    Size3 block;
};

static std::vector<Start> launches, blocks; /* blocks: of the last launch */

void history_launch(const char *kernel) {
    launches.push_back({world.epoch + 1, kernel, {0, 0, 0}});
    blocks.clear();
}

void history_block(const Size3 &block) { blocks.push_back({world.epoch, "", block}); }

static const Start &start_of(const std::vector<Start> &starts, uint32_t epoch) {
    auto later = [](uint32_t e, const Start &s) { return e < s.epoch; };
    return *(std::upper_bound(starts.begin(), starts.end(), epoch, later) - 1);
}

std::string history_text(uint32_t epoch, int thread) {
    std::string who = "thread " + std::to_string(thread);
    if (epoch >= world.block_epoch) return who;
    if (epoch < world.launch_epoch) return "kernel " + start_of(launches, epoch).kernel;
    return who + " of block " + block_text(start_of(blocks, epoch).block);
}

} // namespace shim

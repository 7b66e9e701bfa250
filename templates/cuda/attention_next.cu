/* attention_next.cu: the first tile of keys from n_tile on that is not fully masked.
 * A mask that does not ask for a tile's last key, such as a causal one, holds for all tiles behind
 * one for which it holds. Others often hold for runs of tiles. Each lane of a warp, which all call
 * this, tests one run of those that are left, then a part of the first run that is not fully
 * masked. In chains, whose sums leave no registers for tests of each lane, steps over masked tiles
 * double, then halve, after one test whether all that are left are masked. */
#define IDX int
#define MASKED false
__device__ int alone(int n_tile, int grid_n) {
//@BEGIN
//@HOLE MASK_ROWS
const auto next_tile = [&](int n_tile) {
    //@IF to_end
    //@HOLE MASKED_AT
    return MASKED ? grid_n : n_tile;
    //@END
    //@IF runs
    const auto is_masked = [&](int n_tile, int tiles) {
        //@HOLE MASKED_AT
        return n_tile < grid_n && (MASKED);
    };
    //@END
    //@IF by_steps
    if (!is_masked(n_tile, 1)) return n_tile;
    if (is_masked(n_tile, grid_n - n_tile)) return grid_n;
    bool grows = true;
#pragma unroll 1
    for (int step = 1; step; step = grows ? 2 * step : step / 2)
        if (is_masked(n_tile, step))
            n_tile += step;
        else
            grows = false;
    return n_tile;
    //@END
    //@IF by_lanes
    if (n_tile && !is_masked(n_tile, 1)) return n_tile;
    const int lane = threadIdx.x % 32;
    int run = (grid_n - n_tile + 31) / 32; /* tiles of a lane */
#pragma unroll 1
    while (n_tile < grid_n) {
        const unsigned open = __ballot_sync(0xffffffff, !is_masked(n_tile + lane * run, run));
        n_tile += (open ? __ffs(open) - 1 : 32) * run;
        if (open && run == 1) break;
        if (open) run = (run + 31) / 32;
    }
    return n_tile;
    //@END
    //@IF unmasked
    return n_tile;
    //@END
};
//@FINISH
return next_tile(n_tile);
}

/* attention_next.cu: the first tile of keys from n_tile on that is not fully masked.
 * A mask that does not ask for a tile's last key, such as a causal one, holds for all tiles behind
 * one for which it holds. Others often hold for a run of tiles, so steps over masked tiles double,
 * then halve. One test finds that they hold for all tiles that are left. */
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
    //@IF by_steps
    const auto is_masked = [&](int n_tile, int tiles) {
        //@HOLE MASKED_AT
        return n_tile < grid_n && (MASKED);
    };
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
    //@IF unmasked
    return n_tile;
    //@END
};
//@FINISH
return next_tile(n_tile);
}

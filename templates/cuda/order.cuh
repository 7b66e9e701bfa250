/* order.cuh: in which order blocks compute tiles of unequal work. Sections as in types.cuh. */
#pragma once
#include "memory.cuh"
//@BEGIN
//@SECTION --
// ---- order of tiles ------------------------------------------------------------------------

//@SECTION paired_block
/* The tile of a block, of tiles with the longest first. Each multiprocessor starts with two blocks,
 * its second one among PROCESSORS to 2 * PROCESSORS - 1. These take tiles in reverse order: long
 * tiles run beside short ones. */
template <int PROCESSORS> DEVICE int paired_block() {
    const int block = (int)blockIdx.x, blocks = (int)gridDim.x;
    const int end = blocks < 2 * PROCESSORS ? blocks : 2 * PROCESSORS;
    return block < PROCESSORS || block >= end ? block : end + PROCESSORS - 1 - block;
}

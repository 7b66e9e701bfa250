/* prelude.cuh: all files of the prelude, for templates and tests that are compiled by
 * themselves. */
#pragma once
#include "types.cuh"
#include "arithmetic.cuh"
#include "narrow.cuh"
#include "memory.cuh"
#include "fma.cuh"
#include "order.cuh"
#include "reduce.cuh"
#include "segments.cuh"
#include "mma.cuh"
#include "mma_f32.cuh"
#include "hopper.cuh"
#include "launch.cuh"

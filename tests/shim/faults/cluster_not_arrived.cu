// The threads of a cluster wait for each other, and none has arrived.
// tensors: input x f32[8], output y f32[8]
// expect: error: waits at the barrier of the cluster, and has not arrived
#include "prelude.cuh"
#define STARTED cluster_wait()
#include "cluster_stores.h"

// The threads of a cluster arrive for a start that they never wait for.
// tensors: input x f32[8], output y f32[8]
// expect: error: arrives again at the barrier of the cluster, and has not waited
#include "prelude.cuh"
#define STARTED cluster_arrive()
#define GIVEN cluster_sync()
#include "cluster_stores.h"

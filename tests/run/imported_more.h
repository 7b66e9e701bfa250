#ifndef IMPORTED_MORE_H
#define IMPORTED_MORE_H
#include "imported.h"
static inline float cubic(float x, float y) { return x * (y + x * (y + x * y)); }
#endif

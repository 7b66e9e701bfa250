// Functions for tests of imports.
static inline float scale(float x, int n) { return x * n; }
static inline double half_of(double x) { return x / 2; }
static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }
static inline _Bool opposite(_Bool b) { return !b; }
static inline float blend(float x, float y, float z, float w) { return x * y + z * w; }

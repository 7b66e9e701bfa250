#include "imported.h"
flot half_way(float x) { return x / 2; }
float ends(float x { return x; }

// What no operator can be, one function each.
static int counter;
struct pair { float a, b; };
float first(const float *x) { return x[0]; }
float total(int n, ...) { return n; }
void nothing(float x) {}
struct pair both(float x) { struct pair p = {x, x}; return p; }
unsigned mask(float x) { return x > 0; }
float declared(float x);
float counted(float x) { return x + counter++; }
float kept(float x) { static float last; float y = last; last = x; return y; }
float forever(float x) { return x > 0 ? forever(x - 1) : 0; }
float odd(float x);
float even(float x) { return x > 0 ? odd(x - 1) : 1; }
float odd(float x) { return x > 0 ? even(x - 1) : 0; }
float nine(float a, float b, float c, float d, float e, float f, float g, float h, float i) {
    return a;
}
float pi(void) { return 3.14f; }
#define MAKE(name) float name(float x) { return x; }
MAKE(made)
float uses_made(float x) { return made(x); }
float müller(float x) { return x; }
float calls_umlaut(float x) { return x + ü; }

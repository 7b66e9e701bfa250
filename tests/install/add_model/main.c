/* An application: its kernels are emitted while it is built. */
#include "columns.h"
#include "norm.h"

#include <stdio.h>

int main(void) {
    float x[8] = {1, 2, 3, 6, 0, 0, 0, 4}, y[8];
    if (rows_workspace(2) > 0 || rows(x, y, 2, NULL)) return 1;
    for (int i = 0; i < 8; i++) printf("%g%c", y[i], i == 7 ? '\n' : ' ');
    if (columns_workspace() > 0 || columns(x, y, NULL)) return 1;
    for (int i = 0; i < 8; i++) printf("%g%c", y[i], i == 7 ? '\n' : ' ');
    return 0;
}

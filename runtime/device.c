/* device.c: a device by its kind.
 * In: the kind. Out: its operations. */
#include "runtime/runtime.h"

Device *device_open(Diag *diag, DeviceKind kind) {
    return kind == DEVICE_CUDA ? cuda_open(diag, &(CudaOptions){0}) : cpu_open(diag);
}

void device_close(Device *device) {
    if (device) device->close(device);
}

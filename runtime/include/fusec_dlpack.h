/* fusec_dlpack.h: the structs of DLPack that a tensor is described by, as its ABI has them since
 * version 0.8. Taken from dlpack.h (https://github.com/dmlc/dlpack), Copyright (c) 2017 by
 * Contributors, Apache License 2.0. The include guard is that of dlpack.h: a file that needs all of
 * dlpack.h includes it before fusec.h, and then these are left out. */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    kDLCPU = 1,
    kDLCUDA = 2,
    kDLCUDAHost = 3,    /* memory of the host, pinned */
    kDLCUDAManaged = 13 /* seen by host and device */
} DLDeviceType;

typedef struct {
    DLDeviceType device_type;
    int32_t device_id;
} DLDevice;

typedef enum {
    kDLInt = 0U,
    kDLUInt = 1U,
    kDLFloat = 2U,
    kDLBfloat = 4U,
    kDLBool = 6U,
    kDLFloat8_e4m3fn = 10U,
    kDLFloat8_e5m2 = 12U
} DLDataTypeCode;

typedef struct {
    uint8_t code; /* DLDataTypeCode */
    uint8_t bits;
    uint16_t lanes;
} DLDataType;

typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides;     /* in elements; NULL: row-major */
    uint64_t byte_offset; /* from data to the first element */
} DLTensor;

#ifdef __cplusplus
}
#endif
#endif

/* kernels.h: the kernels of an emitted file by name, each behind a function that takes its
 * arguments from an array. Included behind the file's text by module.py, which also defines the
 * table. */
#ifndef FUSEC_DRIVER_KERNELS_H
#define FUSEC_DRIVER_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct DriverLaunch {
    const char *name;
    shim::Bounds bounds;
    long long grid;
    dim3 block;
    size_t shared;
};

typedef unsigned char DriverArgument[128];

struct DriverKernel {
    const char *name;
    shim::Bounds bounds;
    int arguments;
    void (*run)(const DriverLaunch &, const DriverArgument *arguments);
    bool (*is_written)(int argument); /* a pointer to what is not const */
    int (*bytes)(int argument);
};

/* Of programs that have no headers of C++: see FLAGS of emulate.py. */
template <size_t... I> struct DriverPlaces {};
template <class T> constexpr bool driver_is_written = false;
template <class T> constexpr bool driver_is_written<T *> = true;
template <class T> constexpr bool driver_is_written<const T *> = false;

template <auto K> struct DriverEntry;

template <class... A, void (*K)(A...)> struct DriverEntry<K> {
    static_assert(((sizeof(A) <= sizeof(DriverArgument)) && ...), "an argument has 128 bytes");

    template <class T> OPAQUE static T argument(const DriverArgument &slot) {
        T value;
        __builtin_memcpy(&value, slot, sizeof value);
        return value;
    }

    template <size_t... I>
    OPAQUE static void run_each(const DriverLaunch &l, const DriverArgument *slot,
                                DriverPlaces<I...>) {
        shim::launcher(K, l.name, l.bounds, l.grid, l.block,
                       l.shared)(argument<A>(slot[I])...);
    }

    OPAQUE static void run(const DriverLaunch &l, const DriverArgument *slot) {
        run_each(l, slot, DriverPlaces<__integer_pack(sizeof...(A))...>());
    }

    OPAQUE static bool is_written(int i) {
        const bool all[] = {driver_is_written<A>..., false};
        return all[i];
    }

    OPAQUE static int bytes(int i) {
        const int all[] = {(int)sizeof(A)..., 0};
        return all[i];
    }

    static constexpr int count = sizeof...(A);
};

#define DRIVER_KERNEL(NAME, BOUNDS)                                                                \
    {                                                                                              \
#NAME, BOUNDS, DriverEntry < NAME> ::count, DriverEntry < NAME> ::run,                     \
            DriverEntry < NAME> ::is_written, DriverEntry < NAME> ::bytes                          \
    }

#endif

# Toolchain: fusec and its unit tests for arm64, on a Debian of another processor. ARM64_ROOT is the folder
# that scripts/arm64-sysroot has filled.
#
#     scripts/arm64-sysroot build/arm64-root
#     cmake -G Ninja -B build/arm64 -DCMAKE_TOOLCHAIN_FILE=cmake/arm64.cmake -DARM64_ROOT=$PWD/build/arm64-root
#     cmake --build build/arm64
#     PATH=$PWD/tests/arm64:$PATH ctest --test-dir build/arm64 -L unit -E import
#
# Tests of imported headers need libclang for arm64, which is not in that folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH ${ARM64_ROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${ARM64_ROOT}/usr/lib/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} ${ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${ARM64_ROOT})

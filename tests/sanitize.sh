#!/usr/bin/env bash
# The tests of many threads, of devices and of coordinates on HOST, under sanitizers; too slow for CI.
#   bash tests/sanitize.sh [address|thread]...        default: both; address brings undefined along
# Builds into build-address/ and build-thread/. Kernels are instrumented too. GDAL and PROJ aren't.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export GDAL_GPU_DEVICE=HOST
failed=()

for kind in "${@:-address thread}"; do
    for sanitizer in $kind; do
        flags="-fsanitize=$sanitizer -fno-omit-frame-pointer -g"
        [ "$sanitizer" = address ] && flags+=" -fsanitize=undefined -fno-sanitize-recover=undefined"
        build=$PWD/build-$sanitizer
        (
            export GDALGPU_BUILD=$build
            source tests/setup.sh
            build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS="$flags" -DGDALGPU_BUILD_BENCHMARKS=OFF \
                -DGDALGPU_BUILD_PAGES=OFF -DCMAKE_CUDA_COMPILER=NOTFOUND
        )
        printf '#!/bin/sh\nexec c++ "$@" %s\n' "$flags" > "$build/instrumented-c++"
        chmod +x "$build/instrumented-c++"
        export GDAL_GPU_CXX=$build/instrumented-c++ GDAL_GPU_CACHE_DIR=$build/kernels
        # GDAL's own mutexes are taken in two orders while it registers its drivers.
        echo 'deadlock:CPLAcquireMutex' > "$build/suppressions"
        export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
        export TSAN_OPTIONS=allocator_may_return_null=1:suppressions=$build/suppressions
        for program in common gpu doors coordinates warp raster vrt; do
            filter='-*Nvrtc*'
            # ThreadSanitizer has no threads after a fork.
            [ "$sanitizer" = thread ] && filter+=':*Forked*'
            [ $program = coordinates ] && filter='*Transform*:*Grids*:*Pipeline*:-*Nvrtc*'
            [ $program = warp ] && filter='*Cut*:*Source*:*Leaves*:WarpScale*:-*Nvrtc*'
            echo "== $sanitizer: test_$program"
            "$build/bin/test_$program" --gtest_brief=1 --gtest_filter="$filter" || failed+=("$sanitizer test_$program")
        done
    done
done

if [ ${#failed[@]} -gt 0 ]; then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi

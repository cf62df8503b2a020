#!/usr/bin/env bash
# Installs what is missing (Debian 12; asks sudo where not root), builds into build/ with warnings as errors, and runs
# all tests: the layout of the source, CTest, and autotest. Fails where any of them does. Kernels run on CUDA where the
# machine has a GPU, else on HOST; GDAL_GPU_DEVICE says otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/setup.sh
failed=()

install_packages

echo "== layout"
if [[ "$(clang-format --version 2>/dev/null)" == *"version 14."* ]]; then
    git ls-files -z '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -0 clang-format --dry-run -Werror || failed+=(layout)
else
    echo "clang-format 14 isn't installed: the layout isn't checked"
fi

echo "== build"
build -DGDALGPU_WERROR=ON -DGDALGPU_BUILD_TESTS=ON -DGDALGPU_BUILD_BENCHMARKS=ON
echo "Built after $SECONDS s"

choose_device
export GDAL_GPU_CACHE_DIR=${GDAL_GPU_CACHE_DIR:-$GDALGPU_BUILD/compiled-kernels}
echo "== CTest, on $GDAL_GPU_DEVICE"
ctest --test-dir "$GDALGPU_BUILD" --parallel "$(nproc)" --output-on-failure --no-tests=error --timeout 600 2>&1 |
    tee "$GDALGPU_BUILD/ctest.log" || failed+=(ctest)
echo "CTest done after $SECONDS s"

# Debian's Python has GDAL's bindings; another that comes first on the PATH may not.
echo "== autotest, on $GDAL_GPU_DEVICE"
/usr/bin/python3 -m pytest autotest --durations=10 2>&1 | tee "$GDALGPU_BUILD/pytest.log" || failed+=(autotest)

# Continuous integration also builds with a newer GDAL, where a chroot can be made.
if [ "${CI:-}" = true ]; then
    echo "== newer GDAL"
    status=0
    timeout 1800 bash tests/newer_gdal.sh --short trixie 2>&1 | tee "$GDALGPU_BUILD/newer_gdal.log" || status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed+=("newer GDAL")
    echo "Newer GDAL done after $SECONDS s"
fi

echo "== summary"
grep -E "tests passed|The following tests FAILED" "$GDALGPU_BUILD/ctest.log" || true
tail -n 1 "$GDALGPU_BUILD/pytest.log"
[ "${CI:-}" != true ] || tail -n 1 "$GDALGPU_BUILD/newer_gdal.log"
echo "On $GDAL_GPU_DEVICE, $SECONDS s in all"
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAILED: ${failed[*]}"
    exit 1
fi

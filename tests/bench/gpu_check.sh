#!/usr/bin/env bash
# What only a GPU shows, in one go, on the machine that has it:  bash tests/bench/gpu_check.sh [STAGE...]
#   tests        every test program and autotest on CUDA, and CUDA beside HOST
#   sanitizer    compute-sanitizer (memcheck, racecheck, initcheck) over the kernel tests
#   matrix       the whole warp matrix on CUDA
#   coordinates  every coordinate operation: a table in coordinates.md
#   auto         commands of growing size with GDAL_GPU_DEVICE unset, beside plain GDAL; one warp in many ways
#   bench        kernels alone, then whole commands beside plain GDAL
# Default: all of them. The build is $GDALGPU_BUILD, else build/; logs go to $OUT, else a new folder. Ends with a table.
set -uo pipefail
cd "$(dirname "$0")/../.."
export GDALGPU_BUILD=${GDALGPU_BUILD:-$PWD/build} GDAL_GPU_DEVICE=CUDA
export GDAL_GPU_CACHE_DIR=${GDAL_GPU_CACHE_DIR:-$(mktemp -d)}
out=${OUT:-$(mktemp -d)}
python=${PYTHON:-$(command -v /usr/bin/python3.11 || command -v python3)}
summary=$out/summary.txt
: > "$summary"

note() { printf '%s\n' "$*" | tee -a "$summary"; }

# Runs a command with its output in a log; the summary gets a line with its result and its last line.
check() {
    local name=$1 limit=$2
    shift 2
    local start=$SECONDS status=0
    if [ "$(type -t "$1")" = function ]; then
        "$@" > "$out/$name.log" 2>&1 || status=$?
    else
        timeout "$limit" "$@" > "$out/$name.log" 2>&1 || status=$?
    fi
    note "$(printf '%-28s %-8s %4d s  %s' "$name" "$([ $status = 0 ] && echo ok || echo "FAIL $status")" $((SECONDS - start)) \
        "$(grep -vE '^\s*$' "$out/$name.log" | tail -n 1 | cut -c1-110)")"
}

# What needs no GPU is left to CI: the NVRTC sweeps, and the driver's stand-in.
without_gpu='-*Nvrtc*:CudaHostSide.*'

# The longest program in parts, side by side. One line of the summary.
coordinates_in_parts() {
    local part failed=0 pids=()
    for part in 0 1 2 3 4 5; do
        GTEST_TOTAL_SHARDS=6 GTEST_SHARD_INDEX=$part "$GDALGPU_BUILD/bin/test_coordinates" --gtest_brief=1 \
            --gtest_filter="$without_gpu" > "$out/coordinates_$part.part" 2>&1 &
        pids+=($!)
    done
    for part in "${pids[@]}"; do wait "$part" || failed=1; done
    cat "$out"/coordinates_*.part
    rm "$out"/coordinates_*.part
    return $failed
}

stage_tests() {
    local program
    for program in common doors gpu raster vrt warp; do
        check "test_$program" 300 "$GDALGPU_BUILD/bin/test_$program" --gtest_brief=1 --gtest_filter="$without_gpu" &
    done
    check test_coordinates 300 coordinates_in_parts &
    check autotest 400 "$python" -m pytest -q --maxfail=30 -p no:cacheprovider autotest \
        --ignore autotest/test_install.py --ignore autotest/test_warp_matrix.py &
    wait
}

stage_sanitizer() {
    local tool
    sanitize() {
        check "${tool}_$1" 280 compute-sanitizer --tool "$tool" --error-exitcode 9 "$GDALGPU_BUILD/bin/test_$1" \
            --gtest_brief=1 --gtest_filter="$2" &
    }
    for tool in memcheck racecheck initcheck; do
        # Without what is meant to go wrong, and what a checked access makes endless.
        sanitize gpu '*/CUDA*:-*Illegal*:*Lost*:*Fault*:*Forked*:*NotThere*:*Unknown*:*Extents*'
        sanitize warp '*EqualsGdal*UInt16*:*EqualsGdal*Float32*'
        sanitize raster '-*Nvrtc*'
        sanitize coordinates 'CoordinateOperation.*'
        wait
    done
}

stage_matrix() {
    check matrix 560 "$python" autotest/warp_matrix.py --all --jobs 16 --json "$out/matrix.jsonl"
    head -n 45 "$out/matrix.log"
}

stage_coordinates() {
    check bench_coordinates 500 "$GDALGPU_BUILD/bin/bench_coordinates" --benchmark_color=false \
        --benchmark_out="$out/coordinates.json" ${COORDINATES_FILTER:+--benchmark_filter=$COORDINATES_FILTER}
    "$python" tests/bench/coordinates_table.py "$out/coordinates.json" > "$out/coordinates.md"
    tail -n 12 "$out/coordinates.md"
}

stage_auto() {
    check auto 400 "$python" tests/bench/auto.py
    check one_answer 200 "$python" tests/bench/one_answer.py
    cat "$out/auto.log" "$out/one_answer.log"
}

stage_bench() {
    for program in gpu warp raster; do check "bench_$program" 200 "$GDALGPU_BUILD/bin/bench_$program" --benchmark_color=false; done
    check compare 400 "$python" tests/bench/compare.py --markdown "$out/compare.md" --svg "$out/compare.svg" --json "$out/compare.json"
    cat "$out"/bench_*.log "$out/compare.md"
}

if ! command -v nvidia-smi > /dev/null; then
    echo "No NVIDIA GPU here (no nvidia-smi): nothing to check" >&2
    exit 1
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader | tee -a "$summary"
for stage in "${@:-tests sanitizer matrix coordinates auto bench}"; do for one in $stage; do "stage_$one"; done; done
echo "--- summary ($(date -u +%F))"
cat "$summary"
! grep -q FAIL "$summary"

# What the scripts of tests/ and vrt_examples/ share; sourced, in the repository's root.
# $GDALGPU_BUILD is the build folder, else build/.
export GDALGPU_BUILD=${GDALGPU_BUILD:-$PWD/build}

# Debian 12's packages: to build, to test, and for the examples.
packages=(
    build-essential cmake ninja-build
    libgdal-dev libproj-dev libgtest-dev libgmock-dev libbenchmark-dev
    gdal-bin proj-bin proj-data
    file  # for cpack
    python3-gdal python3-numpy python3-scipy python3-rasterio python3-dask python3-pytest
    python-matplotlib-data xplanet-images
)
[ "${CI:-}" != true ] || packages+=(mmdebstrap)  # for tests/newer_gdal.sh

# Installs the packages that are missing; touches nothing, not even the package lists, where none is.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "This isn't Debian or Ubuntu: what these packages hold is needed: ${packages[*]}"
        return
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing+=("$package")
        fi
    done
    [ ${#missing[@]} -eq 0 ] && return
    local root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    echo "Installing: ${missing[*]}"
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build [CMAKE OPTION]...: configures and builds everything. CMake finds the CUDA toolkit where its nvcc is on the PATH
# or in /usr/local/cuda.
build() {
    [ -d /usr/local/cuda/bin ] && PATH=$PATH:/usr/local/cuda/bin
    if command -v ccache >/dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
    fi
    cmake -S . -B "$GDALGPU_BUILD" -G Ninja "$@"
    cmake --build "$GDALGPU_BUILD"
}

# Where kernels run: $GDAL_GPU_DEVICE, else CUDA where the machine has an NVIDIA GPU, else HOST.
choose_device() {
    if [ -z "${GDAL_GPU_DEVICE:-}" ]; then
        if compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]; then
            GDAL_GPU_DEVICE=CUDA
        else
            GDAL_GPU_DEVICE=HOST
        fi
    fi
    export GDAL_GPU_DEVICE
}

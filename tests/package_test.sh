#!/usr/bin/env bash
# The Debian packages: cpack makes them, lintian judges them where it is installed, and in a chroot they are installed,
# upgraded from a lower version, used, removed and purged.
#
#   bash tests/package_test.sh           the chroot is an overlay over this system, which stays as it is: seconds
#   bash tests/package_test.sh --fresh   a bare system of the same release, made by mmdebstrap; apt-get installs the
#                                        packages with what they depend on: minutes, some 500 MB in $TMPDIR
#
# Exits with 77 where no chroot can be made: not root, no overlays, no mmdebstrap.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "${GDALGPU_BUILD:-build}")
lower=0.0.9
fresh=${1:-}

skip() {
    echo "Skipped: $*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
command -v cpack dpkg-deb dpkg-shlibdeps >/dev/null || skip "cpack, dpkg-deb and dpkg-shlibdeps are needed"
[ "$fresh" != --fresh ] || command -v mmdebstrap >/dev/null || skip "mmdebstrap isn't installed"
# What is mounted is seen, and lasts, in a namespace of this script's own; the folder is removed from outside of it,
# where nothing is mounted below it.
if [ -z "${OWN_MOUNTS:-}" ]; then
    unshare -m true 2>/dev/null || skip "no mount namespace of one's own"
    work=$(mktemp -d "${TMPDIR:-/tmp}/gdal-gpu-packages.XXXXXX")
    status=0
    OWN_MOUNTS=$work unshare -m --propagation private bash "tests/${0##*/}" "$@" || status=$?
    rm -rf --one-file-system "$work"
    exit $status
fi

work=$OWN_MOUNTS
root=$work/root
if [ "$fresh" = --fresh ]; then
    mmdebstrap --quiet --variant=apt --skip=check/qemu --aptopt='APT::Install-Recommends "false"' \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root"
    cp /etc/resolv.conf "$root/etc/"
else
    mount -t tmpfs tmpfs "$work" || skip "no tmpfs"
    mkdir "$root" "$work/upper" "$work/work"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$root" 2>/dev/null ||
        skip "no overlay of /"
    chroot "$root" dpkg --version >/dev/null 2>&1 || skip "/ alone isn't a system"
    # Devices of its own, not the system's.
    for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
        [ -e "$root/dev/${device% *}" ] || mknod -m 666 "$root/dev/${device% *}" c 1 "${device#* }"
    done
fi
mount -t proc proc "$root/proc"
mkdir -p "$root/test/new" "$root/test/lower"

failures=0
check() {
    local what=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok: $what"
    else
        echo "FAILED: $what"
        cat "$work/output"
        failures=$((failures + 1))
    fi
}
# A command of the chroot's, with nothing of this environment.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        GDAL_GPU_DEVICE=HOST GDAL_GPU_MIN_PIXELS=0 GDAL_GPU_CACHE_DIR=/test/kernels chroot "$root" "$@"
}
shell() { inside sh -ec "cd /test; $1"; }
version_of() { inside dpkg-query -W -f='${db:Status-Status} ${Version}' "$1"; }
versions_are() {
    local package
    for package in libgdalgpu0 libgdalgpu-dev gdal-plugin-gpu; do
        [ "$(version_of $package)" = "installed $1" ] || { echo "$package: $(version_of $package)"; return 1; }
    done
}

cd "$build"
cpack -B "$work/packages" >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
cpack -B "$work/lower" -D CPACK_PACKAGE_VERSION=$lower >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
mv "$work"/packages/*.deb "$root/test/new/"
mv "$work"/lower/*.deb "$root/test/lower/"
version=$(dpkg-deb -f "$root"/test/new/libgdalgpu0_*.deb Version)
if command -v lintian >/dev/null; then
    check "lintian finds no error" lintian --fail-on error --allow-root "$root"/test/new/*.deb
else
    echo "lintian isn't installed: the packages aren't judged"
fi

# The one package that there was before these three, as far as its files collide with theirs.
libdir=$(dpkg-deb -c "$root"/test/new/libgdalgpu0_*.deb | sed -n 's|.* \.\(/.*\)/libgdalgpu\.so\.0 -> .*|\1|p')
mkdir -p "$work/before/DEBIAN" "$work/before/usr/bin" "$work/before$libdir/gdalplugins"
printf '%s\n' 'Package: gdal-gpu' 'Version: 0.1.0' "Architecture: $(dpkg --print-architecture)" \
    'Maintainer: nobody <noreply@example.org>' 'Description: before' >"$work/before/DEBIAN/control"
touch "$work/before/usr/bin/gdal-gpu" "$work/before$libdir/gdalplugins/gdal_GPU.so" "$work/before$libdir/before"
dpkg-deb --root-owner-group -b "$work/before" "$root/test/before.deb" >/dev/null

if [ "$fresh" = --fresh ]; then
    check "the package lists" inside apt-get update -q
    install() { shell "apt-get install -q -y $*"; }
    check "gdal-bin and g++, which are recommended" install gdal-bin g++
else
    install() { shell "dpkg -i $*"; }
    inside dpkg --purge gdal-plugin-gpu libgdalgpu-dev libgdalgpu0 >/dev/null 2>&1 || true
fi

check "the package of before is installed" install ./before.deb
check "the lower version is installed in its place" install ./lower/*.deb
check "all three are there, of $lower" versions_are $lower
check "nothing of before is left" shell "test ! -e $libdir/before && ! dpkg -s gdal-gpu | grep -q '^Status: install'"
check "it is upgraded" install ./new/*.deb
check "all three are there, of $version" versions_are "$version"
check "the library isn't upgraded alone" shell "! dpkg -i ./lower/libgdalgpu0_*.deb; dpkg -i ./new/libgdalgpu0_*.deb"
check "all three are there still, of $version" versions_are "$version"

formats='gdalinfo --formats >formats 2>errors; test ! -s errors'
check "GDAL finds the driver" shell "$formats; grep 'GPU -raster-' formats"
check "gdal-gpu run gdalwarp runs on the device" shell "
    gdal_create -q -outsize 60 60 -a_srs EPSG:32633 -a_ullr 500000 5000000 505000 4995000 -burn 7 a.tif
    GDAL_GPU_REPORT=report gdal-gpu run gdalwarp -q -overwrite -t_srs EPSG:3857 a.tif b.tif
    grep '\"door\":\"preload\"' report | grep '\"device\":\"HOST\"'"
check "gdal_translate of a GPU: name runs on the device" shell "
    GDAL_GPU_REPORT=report gdal_translate -q GPU:slope:a.tif c.tif
    grep '\"operation\":\"slope\"' report | grep '\"device\":\"HOST\"'"
check "manual pages, completion, README" shell "
    cd /usr/share; test -s man/man1/gdal-gpu.1.gz; test -s man/man7/gdal-gpu-algorithms.7.gz
    bash -n bash-completion/completions/gdal-gpu; test -s doc/gdal-plugin-gpu/README.md"
cat >"$root/test/program.c" <<'C'
#include <stdio.h>
#include "gdal_gpu.h"
int main(void) { return puts(GDALGPUVersion()) < 0; }
C
cat >"$root/test/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(program C)
find_package(gdalgpu REQUIRED)
add_executable(program program.c)
target_link_libraries(program gdalgpu::gdalgpu)
CMAKE
if [ "$fresh" = --fresh ]; then
    check "pkg-config and CMake" install pkg-config cmake make
fi
if shell "command -v pkg-config" >/dev/null; then
    check "a program is built with pkg-config" shell "
        cc program.c \$(pkg-config --cflags --libs gdalgpu) -o by_pkg_config; test \"\$(./by_pkg_config)\" = $version"
fi
check "a program is built with CMake" shell "
    cmake -S . -B by_cmake && cmake --build by_cmake; test \"\$(by_cmake/program)\" = $version"

files=$(inside dpkg -L libgdalgpu0 libgdalgpu-dev gdal-plugin-gpu | sort -u)
check "the library is needed by the others" shell "! dpkg -r libgdalgpu0"
check "the plugin is removed" inside dpkg -r gdal-plugin-gpu
check "GDAL works without it" shell "$formats; ! grep 'GPU -raster-' formats; gdalinfo a.tif"
check "all are purged" inside dpkg --purge gdal-plugin-gpu libgdalgpu-dev libgdalgpu0
for file in $files; do
    if [ ! -d "$root$file" ] && { [ -e "$root$file" ] || [ -L "$root$file" ]; }; then echo "$file"; fi
done >"$work/left"
check "nothing of them is left" shell "test ! -d /usr/share/doc/libgdalgpu0; test -z '$(cat "$work/left")'"
check "the linker's cache has forgotten the library" shell "! ldconfig -p | grep libgdalgpu"

[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
echo "The packages pass, after $SECONDS s"

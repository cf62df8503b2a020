#!/usr/bin/env bash
# This project in a newer Debian, with its GDAL and PROJ: the README's two commands, as they are, in a chroot.
#
#   bash tests/newer_gdal.sh trixie|forky [FOLDER]           Debian 13 (GDAL 3.10), Debian 14 to be (GDAL 3.13)
#   bash tests/newer_gdal.sh --short trixie|forky [FOLDER]   what finishes in about ten minutes on two cores
#
# FOLDER (else /var/tmp/gdal-gpu-SUITE) gets the system, some 2 GB, the first time, and is kept with its build; remove it
# as any other folder. The checkout is copied into it. The last line is the result. Exits with 77 where no chroot can be
# made: not root, no mmdebstrap or debootstrap, no mirror, no network. The mirror is $DEBIAN_MIRROR, else the one that
# this machine's apt uses for Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "newer GDAL: skipped, $*"
    exit 77
}
usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "tests/${BASH_SOURCE[0]##*/}" >&2
    exit 2
}
short=
if [ "${1:-}" = --short ]; then
    short=yes
    shift
fi
suite=${1:-}
[[ $# -le 2 && "$suite" =~ ^(trixie|forky)$ ]] || usage
folder=$(realpath -m "${2:-/var/tmp/gdal-gpu-$suite}")

[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
# What is mounted is seen, and lasts, in a namespace of this script's own: the folder holds nothing that is mounted.
if [ -z "${OWN_MOUNTS:-}" ]; then
    unshare -m true 2>/dev/null || skip "no mount namespace of one's own"
    OWN_MOUNTS=yes exec unshare -m --propagation private bash "tests/${BASH_SOURCE[0]##*/}" ${short:+--short} "$@"
fi
SECONDS=0

find_mirror() {
    local mirror=${DEBIAN_MIRROR:-} filter
    for filter in 'Label: Debian' 'Component: main'; do
        [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' "$filter" 2>/dev/null | sed -n 1p) || true
    done
    echo "$mirror"
}

# make_system FOLDER MIRROR. The mirror's dates may lie behind this machine's clock, or before it.
make_system() {
    local dates=('Acquire::Check-Valid-Until "false";' 'Acquire::Check-Date "false";')
    if command -v mmdebstrap >/dev/null; then
        mmdebstrap --quiet --variant=minbase --skip=check/qemu "${dates[@]/#/--aptopt=}" "$suite" "$1" "$2"
    elif command -v debootstrap >/dev/null; then
        local script=/usr/share/debootstrap/scripts/$suite
        [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
        debootstrap --variant=minbase "$suite" "$1" "$2" "$script" && mkdir -p "$1/etc/apt/apt.conf.d" &&
            printf '%s\n' "${dates[@]}" >"$1/etc/apt/apt.conf.d/99dates"
    else
        skip "neither mmdebstrap nor debootstrap is installed"
    fi
}

system=$folder/system
if [ ! -e "$folder/made" ]; then
    mirror=$(find_mirror)
    [ -n "$mirror" ] || skip "no mirror: \$DEBIAN_MIRROR is empty, and apt names none"
    mkdir -p "$folder"
    rm -rf --one-file-system "$system"
    make_system "$system" "$mirror" >"$folder/system.log" 2>&1 ||
        skip "$suite can't be installed into $folder: $(tail -n 1 "$folder/system.log")"
    touch "$folder/made"
fi
for name in proc sys dev; do
    mount --rbind "/$name" "$system/$name" || skip "can't mount /$name"
done
mount -t tmpfs tmpfs "$system/tmp"
cp -L /etc/resolv.conf "$system/etc/resolv.conf"

# The files of the checkout, with their times, so that only what changed is built again.
checkout=$system/gdal-gpu
mkdir -p "$checkout"
find "$checkout" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
else
    find . -path './build*' -prune -o -type f -printf '%P\0'
fi | tar -c --null --verbatim-files-from --ignore-failed-read -T - 2>/dev/null | tar -x -C "$checkout"

commands='bash vrt_examples/run.sh && bash tests/run.sh'
if [ -n "$short" ]; then
    commands='source tests/setup.sh && install_packages &&
        build -DGDALGPU_WERROR=ON -DGDALGPU_BUILD_BENCHMARKS=OFF && choose_device &&
        ctest --test-dir build --parallel "$(nproc)" --output-on-failure --no-tests=error --timeout 600 \
            -E "OfProj|WorldProjections|InPrecision|RandomCrs" >build/ctest.log 2>&1 &&
        /usr/bin/python3 -m pytest -q autotest/test_warp_matrix.py autotest/test_newer_gdal.py >build/pytest.log 2>&1'
fi
status=0
chroot "$system" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${GDAL_GPU_DEVICE:+GDAL_GPU_DEVICE="$GDAL_GPU_DEVICE"} ${http_proxy:+http_proxy="$http_proxy"} \
    bash -c "cd /gdal-gpu && $commands" >"$folder/tests.log" 2>&1 || status=$?

version() { chroot "$system" dpkg-query -W -f='${Version}' "$1" 2>/dev/null | sed 's/[+-].*//'; }
result() { grep -hE "$1" "$checkout/build/$2" 2>/dev/null | tail -n 1 | tr -d =; }
outcome=passed
if [ $status -ne 0 ]; then
    tail -n 60 "$folder/tests.log"
    grep -hE '^FAILED|\(Failed\)|\(Timeout\)|\(SEGFAULT\)' "$checkout"/build/{ctest,pytest}.log 2>/dev/null || true
    outcome="FAILED ($folder/tests.log)"
fi
echo "$suite, GDAL $(version libgdal-dev), PROJ $(version libproj-dev): $outcome;" \
    "CTest: $(result 'tests passed' ctest.log); autotest: $(result ' in [0-9.]+s' pytest.log); $SECONDS s in all"
exit $status

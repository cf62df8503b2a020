#!/usr/bin/env bash
# The steps of the Dockerfile without Docker: bash tests/dockerfile_steps.sh SYSTEM
#
# SYSTEM is a folder with the base system of the image, Debian 12, which stays as it is:
#   mmdebstrap --variant=apt bookworm SYSTEM
# Each stage's RUN and COPY steps are done in an overlay over it, then the image's command runs a gdalwarp on HOST.
# NVIDIA's image isn't there: what comes from it is left out. Needs root; takes as long as the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
system=$(realpath "$1")
[ "$(id -u)" -eq 0 ] || { echo "a chroot needs root"; exit 1; }
if [ -z "${OWN_MOUNTS:-}" ]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/gdal-gpu-dockerfile.XXXXXX")
    status=0
    OWN_MOUNTS=$work unshare -m --propagation private bash "tests/${0##*/}" "$system" || status=$?
    rm -rf --one-file-system "$work"
    exit $status
fi
work=$OWN_MOUNTS

begin_stage() {
    root=$work/$1
    mkdir "$root" "$work/$1.upper" "$work/$1.work"
    mount -t overlay overlay -o "lowerdir=$system,upperdir=$work/$1.upper,workdir=$work/$1.work" "$root"
    mount -t proc proc "$root/proc"
    for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
        [ -e "$root/dev/${device% *}" ] || mknod -m 666 "$root/dev/${device% *}" c 1 "${device#* }"
    done
    cp /etc/resolv.conf "$root/etc/"
}
inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${variables[@]}" \
        chroot "$root" sh -ec "mkdir -p ${folder:-/}; cd ${folder:-/}; $1"
}

stages=0
root=
while read -r instruction rest; do
    echo "== $instruction $rest"
    case $instruction in
    FROM)
        stages=$((stages + 1))
        name=$(sed -n 's/.* AS //p' <<<"$rest")
        variables=(A=) folder='' root=
        [[ $rest == nvidia/* ]] || begin_stage "${name:-stage$stages}" ;;
    ENV) variables+=("$rest") ;;
    WORKDIR) folder=$rest ;;
    COPY)
        if [[ $rest == --from=* ]]; then
            read -r from paths to <<<"${rest#--from=}"
            if [ ! -d "$work/$from" ]; then
                echo "left out"
            else
                mkdir -p "$root$to"
                cp -r "$work/$from$paths/." "$root$to"
            fi
        else
            read -r _ to <<<"$rest"
            mkdir -p "$root$to"
            git ls-files -z | tar -c --null -T - | tar -x -C "$root$to"
        fi ;;
    RUN) inside "$rest" ;;
    ENTRYPOINT | CMD) ;;
    *) echo "unknown instruction"; exit 1 ;;
    esac
done < <(sed -e '/^#/d' -e ':more' -e '/\\$/{N;s/\\\n *//;b more}' Dockerfile | sed '/^$/d')

variables+=(GDAL_GPU_DEVICE=HOST GDAL_GPU_REPORT=report)
inside "gdal-gpu info
    gdal_create -q -outsize 900 900 -a_srs EPSG:32633 -a_ullr 500000 5000000 590000 4910000 -burn 7 scene.tif
    gdal-gpu run gdalwarp -q -t_srs EPSG:3857 scene.tif warped.tif
    cat report; grep -q '\"device\":\"HOST\"' report"

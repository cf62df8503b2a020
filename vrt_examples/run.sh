#!/usr/bin/env bash
# Installs what is missing (Debian 12; asks sudo where not root), builds into build/ where nothing is built yet, and
# runs one example of each door on the GPU, or on HOST where the machine has none. Pictures go to vrt_examples/output/;
# at the end a table says what ran where, and the script fails where GDAL's own code had to do the work.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/setup.sh

install_packages
if [ ! -x "$GDALGPU_BUILD/bin/gdal-gpu" ] || [ ! -f "$GDALGPU_BUILD/gdalplugins/gdal_GPU.so" ]; then
    build -DGDALGPU_BUILD_TESTS=OFF -DGDALGPU_BUILD_BENCHMARKS=OFF
fi
choose_device
export GDAL_DRIVER_PATH=$GDALGPU_BUILD/gdalplugins
export GDAL_PAM_ENABLED=NO  # no .aux.xml beside the pictures

cd vrt_examples
rm -rf output
mkdir output
/usr/bin/python3 prepare.py input/dem.tif

# example NAME COMMAND...: runs a command, its report in output/NAME.jsonl.
example() {
    local name=$1
    shift
    echo "$ $*"
    GDAL_GPU_REPORT=$PWD/output/$name.jsonl "$@" -q
}

# Door 5: an unmodified gdalwarp. The elevation model in UTM, and the world in the projection of Europe's maps.
gdal_gpu=$GDALGPU_BUILD/bin/gdal-gpu
example dem_utm "$gdal_gpu" run gdalwarp -r cubic -t_srs EPSG:32616 -dstnodata -32768 input/dem.tif output/dem_utm.tif
example europe "$gdal_gpu" run gdalwarp -r cubic -t_srs EPSG:3035 -te 1900000 900000 7400000 6500000 -ts 1375 1400 \
    -dstalpha world.vrt output/europe.tif

# Door 1: a warped VRT, the world seen from above the North Pole.
example arctic gdal_translate -of PNG arctic.vrt output/arctic.png

# Door 3: a pixel function.
example vegetation gdal_translate vegetation.vrt output/vegetation.tif

# Door 4: an algorithm's result, opened by its name.
example hillshade gdal_translate -of PNG GPU:hillshade,azimuth=315:output/dem_utm.tif output/hillshade.png

# To look at.
gdal_translate -q -of PNG output/europe.tif output/europe.png
gdaldem color-relief -q -of PNG output/vegetation.tif vegetation.txt output/vegetation.png

echo
/usr/bin/python3 summary.py output dem_utm=preload europe=preload arctic=warped_vrt vegetation=pixel_function \
    hillshade=algorithm
echo
echo "Pictures: $(echo output/*.png)"

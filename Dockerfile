# gdal-gpu on Debian 12, with NVRTC from NVIDIA's CUDA image:
#   docker build -t gdal-gpu .
#   docker run --rm --gpus all gdal-gpu info
#   docker run --rm --gpus all -v "$PWD:/data" gdal-gpu run gdalwarp -t_srs EPSG:3857 scene.tif warped.tif
# To keep the compiled kernels from one run to the next, add -v gdal-gpu-kernels:/root/.cache/gdal-gpu
#
# NVIDIA's images are Ubuntu's, whose libgdal is linked with -Bsymbolic-functions: there gdal-gpu run could take nothing
# over, and only warped VRTs, pixel functions and GPU: names would run on the device.
FROM nvidia/cuda:12.6.3-runtime-ubuntu22.04 AS cuda

FROM debian:12 AS build
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
    && apt-get install -y --no-install-recommends build-essential cmake ninja-build libgdal-dev libproj-dev file
COPY . /src
RUN cmake -S /src -B /build -G Ninja -DGDALGPU_BUILD_TESTS=OFF -DGDALGPU_BUILD_BENCHMARKS=OFF \
    && cmake --build /build \
    && cd /build && cpack -B /packages

FROM debian:12
ENV DEBIAN_FRONTEND=noninteractive
# NVRTC compiles the kernels; g++ does where there is no GPU and GDAL_GPU_DEVICE=HOST is set.
COPY --from=cuda /usr/local/cuda-12.6/targets/x86_64-linux/lib/libnvrtc* /usr/local/lib/
COPY --from=build /packages /packages
RUN apt-get update \
    && apt-get install -y --no-install-recommends gdal-bin g++ \
        /packages/libgdalgpu0_*.deb /packages/gdal-plugin-gpu_*.deb \
    && ldconfig \
    && rm -rf /packages /var/lib/apt/lists/*
# What NVIDIA's container runtime brings in: the driver's libcuda.
ENV NVIDIA_VISIBLE_DEVICES=all
ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility
WORKDIR /data
ENTRYPOINT ["gdal-gpu"]
CMD ["info"]

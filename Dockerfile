# hdrbatch for GPU servers, from a bundle (docs/bundle.md). Built and run by buildah on the CPU; the lines for NVIDIA's driver
# are written after its documents and not yet run.
#
#   scripts/bundle                                                     # dist/hdrbatch-VERSION-linux-x86_64.tar.gz
#   docker build -t hdrbatch --build-arg BUNDLE=dist/hdrbatch-VERSION-linux-x86_64.tar.gz .
#   docker run --rm --gpus all hdrbatch doctor
#   docker run --rm --gpus all --user "$(id -u):$(id -g)" -v "$PWD/photos:/in:ro" -v "$PWD/out:/out" \
#     hdrbatch render /in --to pq-png --out /out
FROM debian:bookworm-slim

# What NVIDIA's Vulkan driver is linked with and the container toolkit does not bring: libGLX_nvidia wants X11's client
# libraries even without a display, libEGL_nvidia wants glvnd. hdrbatch itself needs none of it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libegl1 libx11-6 libxext6 \
  && rm -rf /var/lib/apt/lists/*

ARG BUNDLE
# A local archive is unpacked by ADD.
ADD ${BUNDLE} /opt/
RUN mv /opt/hdrbatch-* /opt/hdrbatch \
  && ln -s /opt/hdrbatch/bin/hdrbatch /usr/local/bin/hdrbatch \
  && useradd --create-home --uid 10001 hdrbatch

# `graphics` brings the Vulkan driver and its manifest; with `compute,utility` alone there is no Vulkan device.
ENV NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=graphics,compute,utility \
    XDG_CACHE_HOME=/tmp/cache

USER hdrbatch
WORKDIR /home/hdrbatch
ENTRYPOINT ["/opt/hdrbatch/bin/hdrbatch"]
CMD ["doctor"]

# syntax=docker/dockerfile:1
# One image for servers and workers: `remem serve` or `remem worker`. It has the web app, the local
# models and an embedded PostgreSQL; REMEM_DATABASE_URL uses another one.
#
# Any Debian image with Python 3.13 can be the base. Behind a mirror of the package registries, give
# its settings as secrets, which do not become part of the image:
#   --secret id=pip,src=pip.conf --secret id=npm,src=.npmrc --secret id=ca,src=ca-certificates.crt
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
# Versions are not pinned: Debian's archive does not keep older ones.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends binutils \
    && rm -rf /var/lib/apt/lists/*
# The environment itself has no pip. imageio-ffmpeg is a program that decodes video and phone
# recordings, a sixth the size of Debian's.
COPY requirements.lock requirements-dev.lock tools/shrink_environment.py ./
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    python -m venv /opt/pip \
    && python -m venv --without-pip /opt/remem \
    && sed -n '/^imageio-ffmpeg==/,/[^\\]$/p' requirements-dev.lock > ffmpeg.lock \
    && /opt/pip/bin/pip --python /opt/remem/bin/python install --no-deps --require-hashes \
        --requirement requirements.lock --requirement ffmpeg.lock \
    && python shrink_environment.py /opt/remem
# Building the wheel fetches the models and builds the web app. It is a layer of its own in the
# image, because the packages above change less often.
COPY . .
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=npm,target=/root/.npmrc \
    --mount=type=secret,id=ca,target=/etc/ssl/certs/ca-certificates.crt \
    /opt/pip/bin/pip wheel --no-deps --wheel-dir /wheels . \
    && /opt/pip/bin/pip --python /opt/remem/bin/python install --no-deps --no-index --root /built \
        /wheels/*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="remem" org.opencontainers.image.licenses="MIT"
# tini ends the processes that a crashed PostgreSQL leaves behind, which the first process inherits.
# 143 is how remem ends when it is asked to.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --home-dir /data --no-create-home --no-log-init remem \
    && install --directory --owner remem --group remem --mode 700 /data
COPY --from=build /opt/remem /opt/remem
COPY --from=build /built /
ENV PATH=/opt/remem/bin:$PATH \
    HOME=/data \
    PYTHONUNBUFFERED=1 \
    REMEM_DATA_DIR=/data \
    REMEM_HOST=0.0.0.0 \
    REMEM_LOG_FORMAT=json
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/health/ready', timeout=2)"]
ENTRYPOINT ["tini", "-e", "143", "--", "remem"]
CMD ["serve"]

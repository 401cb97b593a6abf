# syntax=docker/dockerfile:1
# One image for servers and workers: `remem serve` or `remem worker`. It has the web app, the local
# models and an embedded PostgreSQL; REMEM_DATABASE_URL uses another one.

FROM python:3.13-slim-bookworm AS build
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1
# Versions are not pinned: Debian's archive does not keep older ones.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make git \
    && rm -rf /var/lib/apt/lists/*
COPY . .
# `make setup` installs requirements.lock, the models and the web app; then build one wheel.
RUN make setup PYTHON=python3.13 \
    && .venv/bin/python -m pip wheel --no-deps --wheel-dir /wheels .
RUN python -m venv /opt/remem \
    && /opt/remem/bin/pip install --no-deps --require-hashes --requirement requirements.lock \
    && /opt/remem/bin/pip install --no-deps /wheels/*.whl

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="remem" org.opencontainers.image.licenses="MIT"
# Decodes video and phone recordings; remem runs it as a separate program.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data --create-home remem
COPY --from=build /opt/remem /opt/remem
ENV PATH=/opt/remem/bin:$PATH \
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
ENTRYPOINT ["remem"]
CMD ["serve"]

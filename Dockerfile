# One image for every process; compose.yaml gives each service its command.
FROM python:3.12.12-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /venv
COPY requirements.services.lock ./
RUN /venv/bin/pip install --require-hashes --no-deps -r requirements.services.lock
COPY . .
# hatchling and editables are pinned by the lock too: nothing is fetched here.
RUN /venv/bin/pip install --no-deps --no-build-isolation .

FROM python:3.12.12-slim-bookworm

RUN groupadd --gid 10001 aml \
    && useradd --uid 10001 --gid aml --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin aml \
    && install -d -o aml -g aml /var/lib/aml /var/lib/aml/datasets /var/lib/aml/board /var/lib/aml/donations /var/lib/aml/log /var/lib/aml/verifier
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER aml
EXPOSE 8000
CMD ["python", "-c", "raise SystemExit('name a service: python -m aml.gateway, ingest, retrieval, judge, ledger or publisher')"]

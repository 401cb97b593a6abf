"""Collect metrics and render them in the text format of Prometheus."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily

from remem.core.errors import RememError
from remem.core.ports import Ports

# All metrics with name, description and labels. Dashboard and docs use no others.


FAST_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW_S = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0)


@dataclass(frozen=True, slots=True)
class Metric:
    """A histogram of seconds if it has `buckets`, otherwise a counter."""

    name: str
    about: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Gauge:
    """A value that is read at each scrape."""

    name: str
    about: str
    labels: tuple[str, ...] = ()
    kind: Literal["gauge", "counter"] = "gauge"


# By their names in calls of `telemetry`.
RECORDED = {
    "request": Metric(
        "remem_request_seconds",
        "Requests by route and status, and how long they took.",
        ("method", "route", "status"),
        FAST_S,
    ),
    "search": Metric(
        "remem_search_seconds", "Searches, and how long they took.", ("mode",), FAST_S
    ),
    "search_stage": Metric(
        "remem_search_stage_seconds", "How long each stage of a search took.", ("stage",), FAST_S
    ),
    "job": Metric("remem_job_seconds", "Jobs by name and result.", ("job", "result"), SLOW_S),
    "provider_request": Metric(
        "remem_provider_request_seconds",
        "Requests to providers of models, by result.",
        ("provider", "result"),
        SLOW_S,
    ),
    "provider_tokens": Metric(
        "remem_provider_tokens", "Tokens that providers counted.", ("provider", "direction")
    ),
    "provider_cost_usd": Metric(
        "remem_provider_cost_usd", "List price of these tokens, in dollars.", ("provider",)
    ),
    "embedded_texts": Metric("remem_embedded_texts", "Texts that were embedded.", ("result",)),
}
QUEUED = Gauge("remem_queue_jobs", "Jobs that wait, by name.", ("job",))
QUEUE_AGE = Gauge(
    "remem_queue_oldest_seconds", "How long the oldest job that is due has waited.", ("job",)
)
PROVIDER = Gauge(
    "remem_provider_state",
    "1 for the state each provider is in: ok, failing, paused, budget_spent.",
    ("provider", "state"),
)
BUDGET = Gauge("remem_llm_budget_used_ratio", "How much of this month's tokens is spent; 1 is all.")
POOL = Gauge("remem_database_connections", "Connections of this process, by state.", ("state",))
GAUGES = (QUEUED, QUEUE_AGE, PROVIDER, BUDGET, POOL)


STATES = ("ok", "failing", "paused", "budget_spent")

log = structlog.get_logger()


# Creation times are not needed, and would double the number of series.
disable_created_metrics()


class PrometheusMetrics:
    """A listener of `telemetry` that also reads gauges from the ports at each scrape."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._registry = CollectorRegistry()
        self._metrics = {name: self._make(name) for name in RECORDED}

    def record(self, name: str, value: float, labels: dict[str, str]) -> None:
        metric = self._metrics[name]
        series = metric.labels(**labels) if labels else metric
        if isinstance(series, Histogram):
            series.observe(value)
        else:
            series.inc(value)

    def span(self, name: str, labels: dict[str, str]) -> AbstractContextManager[object]:
        return nullcontext()

    async def render(self) -> bytes:
        """Render all metrics; those of the queue are left out if the database is down."""
        families = [*self._providers(), *self._pool()]
        try:
            families += await self._queue()
        except RememError as error:
            log.warning("metrics_without_queue", error=error.code)
        scraped = CollectorRegistry()
        scraped.register(_Families(families))
        return generate_latest(self._registry) + generate_latest(scraped)

    def _make(self, name: str) -> Counter | Histogram:
        metric = RECORDED[name]
        if metric.buckets:
            return Histogram(
                metric.name,
                metric.about,
                metric.labels,
                buckets=metric.buckets,
                registry=self._registry,
            )
        return Counter(metric.name, metric.about, metric.labels, registry=self._registry)

    async def _queue(self) -> list[GaugeMetricFamily]:
        depth, age = _family(QUEUED), _family(QUEUE_AGE)
        for waiting in await self._ports.queue.waiting():
            depth.add_metric([waiting.name], waiting.count)
            age.add_metric([waiting.name], waiting.oldest_s)
        return [depth, age]

    def _providers(self) -> list[GaugeMetricFamily]:
        states, budget = _family(PROVIDER), _family(BUDGET)
        for name, provider in self._ports.providers.items():
            status = provider.state()
            for state in STATES:
                states.add_metric([name, state], float(status.state == state))
            if status.budget_used is not None:
                budget.add_metric([], status.budget_used)
        return [states, budget]

    def _pool(self) -> list[GaugeMetricFamily]:
        pool = self._ports.db.pool
        family = _family(POOL)
        idle = pool.get_idle_size()
        family.add_metric(["idle"], idle)
        family.add_metric(["busy"], pool.get_size() - idle)
        return [family]


class _Families:
    def __init__(self, families: Sequence[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Sequence[GaugeMetricFamily]:
        return self._families


def _family(gauge: Gauge) -> GaugeMetricFamily:
    return GaugeMetricFamily(gauge.name, gauge.about, labels=gauge.labels)

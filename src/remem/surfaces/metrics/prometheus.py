"""Collect metrics and render them in the text format of Prometheus."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

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
from remem.surfaces.metrics.names import BUDGET, POOL, PROVIDER, QUEUE_AGE, QUEUED, RECORDED, Gauge

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

"""All metrics with name, description and labels. Dashboard and docs use no others."""

from dataclasses import dataclass
from typing import Literal

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

"""Metrics: access, bounded labels, and agreement of code, dashboard and documentation."""

import ast
import json
import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from remem.core import telemetry
from remem.core.errors import CannotStart
from remem.core.ports import Ports
from remem.surfaces.metrics.prometheus import GAUGES, RECORDED, PrometheusMetrics
from remem.surfaces.metrics.traces import Traces, open_traces
from tests.conftest import Server, start_server, stop_server
from tests.tools.preloaded import remem_process
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "remem"
_NAME = re.compile(r"\bremem_[a-z_]+")
_SUFFIX = re.compile(r"_(?:bucket|sum|count|total)$")


def metrics_in(text: str) -> set[str]:
    return {_SUFFIX.sub("", name) for name in _NAME.findall(text)}


def test_the_dashboard_and_the_docs_have_exactly_the_existing_metrics() -> None:
    known = {metric.name for metric in (*RECORDED.values(), *GAUGES)}
    dashboard = json.loads((ROOT / "deploy" / "grafana" / "remem.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert metrics_in("\n".join(expressions)) == known
    page = (ROOT / "docs" / "operate.md").read_text()
    assert metrics_in(page.partition("## Metrics")[2]) == known


def recorded_calls() -> Iterator[tuple[str, set[str] | None]]:
    """The metrics that the code records, with their labels unless these are unpacked."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in ("record", "timed") and isinstance(first, ast.Constant):
                spread = any(keyword.arg is None for keyword in node.keywords)
                yield (
                    first.value,
                    None if spread else {str(keyword.arg) for keyword in node.keywords},
                )


def test_every_recorded_metric_exists_with_its_labels() -> None:
    calls = list(recorded_calls())
    assert {name for name, _ in calls} == set(RECORDED)
    for name, labels in calls:
        assert labels is None or labels == set(RECORDED[name].labels), name


async def test_metrics_are_rendered_until_the_listener_stops(ports: Ports) -> None:
    metrics = PrometheusMetrics(ports)
    stop = telemetry.listen(metrics)
    for name, metric in RECORDED.items():
        telemetry.record(name, 0.5, **dict.fromkeys(metric.labels, "x"))
    with pytest.raises(ValueError), telemetry.timed("job", job="x", result="failed"):
        raise ValueError
    stop()
    telemetry.record("search", mode="x")
    text = (await metrics.render()).decode()
    assert metrics_in(text) >= {recorded.name for recorded in RECORDED.values()}
    assert 'remem_job_seconds_count{job="x",result="failed"} 1.0' in text
    assert 'remem_search_seconds_count{mode="x"} 1.0' in text
    assert 'remem_database_connections{state="idle"}' in text


def test_there_are_no_metrics_without_a_key(server: Server) -> None:
    for authorization in ("Basic x", "Bearer None", f"Bearer {server.owner_key}"):
        reply = httpx2.get(f"{server.url}/metrics", headers={"Authorization": authorization})
        assert reply.status_code == 401


def test_metrics_need_the_key_and_have_bounded_labels(
    data_dir: Path,
) -> None:
    running = start_server(data_dir, REMEM_METRICS_KEY="swordfish")
    try:
        with httpx2.Client(base_url=running.url) as http:
            for authorization in (
                "",
                "Bearer wrong",
                "Basic swordfish",
                f"Bearer {running.owner_key}",
            ):
                reply = http.get(
                    "/metrics", headers={"Authorization": authorization} if authorization else {}
                )
                assert reply.status_code == 401
            for number in range(20):
                http.get(f"/v3/no-such-{number}")
                http.request(f"ODD{number}", "/health")
            owner = {"Authorization": f"Bearer {running.owner_key}"}
            assert http.post("/v3/recall", json={"query": "boat"}, headers=owner).is_success
            reply = http.get("/metrics", headers={"Authorization": "Bearer swordfish"})
    finally:
        stop_server(running)
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'route="/v3/recall",status="200"' in reply.text
    assert 'remem_search_stage_seconds_count{stage="words"} 1.0' in reply.text
    assert "no-such" not in reply.text and "ODD" not in reply.text


@pytest.mark.parametrize("key", [None, "swordfish"])
def test_a_worker_serves_its_metrics_on_its_own_port(data_dir: Path, key: str | None) -> None:
    running = start_server(data_dir, REMEM_WORKER="false")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "REMEM_DATA_DIR": str(data_dir), "REMEM_METRICS_PORT": str(port)}
    worker = remem_process("worker", env=env | ({"REMEM_METRICS_KEY": key} if key else {}))
    address = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with httpx2.Client(headers=headers, timeout=120) as http:
            until(lambda: read(http, address))
            owner = {"Authorization": f"Bearer {running.owner_key}"}
            body = {"content": "The ferry to Bergen is blue."}
            saved = http.post(f"{running.url}/v3/memory?async=true", json=body, headers=owner)
            assert saved.status_code == 202, saved.text
            until(lambda: 'result="ok"' in read(http, address))
            assert http.get(f"{address}/other").status_code == 404
            assert http.post(f"{address}/metrics").status_code == 405
        reply = httpx2.get(f"{address}/metrics", headers={"Authorization": "Bearer wrong"})
        assert reply.status_code == (401 if key else 200)
        assert httpx2.get(f"{running.url}/metrics", headers=headers).status_code == 401
    finally:
        worker.terminate()
        worker.wait(timeout=60)
        stop_server(running)


def read(http: httpx2.Client, address: str) -> str:
    try:
        return http.get(f"{address}/metrics").text
    except httpx2.TransportError:
        return ""


def test_spans_are_nested_and_named_when_they_end() -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    stop = telemetry.listen(Traces(provider.get_tracer("test")))
    try:
        with telemetry.timed("request", method="GET", route="-", status="0") as labels:
            with telemetry.timed("search_stage", stage="words"):
                pass
            labels |= {"route": "/v3/recall", "status": "200"}
    finally:
        stop()
    inner, outer = spans.get_finished_spans()
    assert (inner.name, outer.name) == ("search_stage words", "request /v3/recall")
    assert inner.parent and outer.context and inner.parent.span_id == outer.context.span_id
    assert dict(outer.attributes or {})["remem.status"] == "200"


def test_traces_without_the_extra_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(CannotStart, match=r"remem\[otel\]"), open_traces():
        pass

"""Send OpenTelemetry traces: a span for each request, job, search stage and provider call."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from remem.core import telemetry
from remem.core.errors import CannotStart


class Traces:
    """A listener of `telemetry`. OpenTelemetry's own OTEL_ variables set the destination."""

    def __init__(self, tracer: Any) -> None:
        self._tracer = tracer

    def record(self, name: str, value: float, labels: dict[str, str]) -> None:
        """Nothing to do: spans measure their own time."""

    @contextmanager
    def span(self, name: str, labels: dict[str, str]) -> Iterator[None]:
        """Open a span; it is named and labelled at its end, when route and result are known."""
        with self._tracer.start_as_current_span(name, record_exception=False) as span:
            try:
                yield
            finally:
                subject = labels.get("route") or labels.get("job") or labels.get("stage")
                span.update_name(f"{name} {subject}" if subject else name)
                span.set_attributes({f"remem.{key}": value for key, value in labels.items()})


@contextmanager
def open_traces() -> Iterator[None]:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise CannotStart(
            "REMEM_TRACES needs OpenTelemetry: run `pip install 'remem[otel]'`, or unset it."
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "remem"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    stop = telemetry.listen(Traces(provider.get_tracer("remem")))
    try:
        yield
    finally:
        stop()
        provider.shutdown()

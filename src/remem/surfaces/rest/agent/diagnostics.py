"""Whether each part of the server works, in sentences, for an agent that looks for a fault."""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal, TypeAlias

from fastapi import APIRouter, Request
from pydantic import Field

from remem.choices import choices, configuration_problem, languages_read, reader_problem
from remem.core.ask_model import has_model, model_name
from remem.core.ports import Ports
from remem.core.providers import ModelProvider
from remem.core.stats.count import count_jobs
from remem.core.stats.moving import find_move
from remem.settings import Settings
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.operator import is_operator
from remem.surfaces.rest.readiness import OK
from remem.surfaces.rest.shapes import Camel

router = APIRouter(prefix="/api/agent", tags=["agents: metadata"], route_class=Guarded)

Status: TypeAlias = Literal["ok", "degraded", "off"]
READER = "reader"
_OPERATOR_ONLY = "For the operator only: the owner whose key is in the data folder."


@dataclass(frozen=True, slots=True)
class Part:
    """What is said of a part that works, and what follows when it does not. `service` is its name
    among the health checks, `port` that of its adapter."""

    works: str
    fails: str
    service: str
    port: str | None = None


PARTS: Mapping[str, Part] = {
    "database": Part(
        "PostgreSQL answers.",
        "PostgreSQL does not answer as it should; requests may fail until it does.",
        "database",
        "database",
    ),
    "queue": Part(
        "Jobs can be queued.",
        "The queue of jobs does not answer; what is saved now is processed later.",
        "queue",
    ),
    "disk": Part(
        "The disk accepts writes.",
        "The disk is nearly full or cannot be written to; saves may fail until that is fixed.",
        "disk",
    ),
    "embedder": Part(
        "Texts are found by meaning and by word.",
        "The embedding model does not answer; until it does, search is by word only and new texts"
        " wait for their vectors.",
        "embedding",
        "embedding",
    ),
    "languageModel": Part(
        "A language model answers where one is asked.",
        "The language model does not answer; until it does, rules decide.",
        "llm",
        "llm",
    ),
    "speech": Part(
        "Speech in sound and video is written down.",
        "The speech model does not answer; sound and video wait until it does.",
        "asr",
        "asr",
    ),
    "ocr": Part(
        "Text in pictures is read.",
        "The model that reads pictures does not answer; pictures wait until it does.",
        "ocr",
        "ocr",
    ),
    "vectorIndex": Part(
        "The vector index answers.",
        "The vector index does not answer; until it does, search is by word only.",
        "qdrant",
        "vector_index",
    ),
    "cache": Part(
        "Repeated searches are answered from a cache.",
        "The cache does not answer; every search is computed again.",
        "redis",
        "cache",
    ),
}
_STATES = {
    "ok": "It answers.",
    "failing": "A request to it failed a moment ago; it is still called.",
    "paused": "Requests to it failed, so it is not called; it is called again in {seconds} s.",
    "budget_spent": "This month's tokens are spent; it is called again next month.",
}


class PartOut(Camel):
    name: str
    status: Status
    says: str
    details: dict[str, Any] | None = Field(default=None, description=_OPERATOR_ONLY)


class ProviderStateOut(Camel):
    name: str = Field(description="What the remote service is used for.")
    status: Status
    state: str = Field(description="`ok`, `failing`, `paused` or `budget_spent`.")
    says: str
    retry_in_s: int | None = Field(
        default=None, description="The seconds until it is called again, while it is paused."
    )
    reason: str | None = Field(default=None, description=f"The last failure. {_OPERATOR_ONLY}")


class VectorProgressOut(Camel):
    old_model: str = Field(description="Searches use it until the end.")
    new_model: str
    moved: int
    total: int


class DiagnosticsOut(Camel):
    status: Status = Field(description="`degraded` if any check or provider is.")
    version: str
    is_operator: bool = Field(description="Whether the reply has the operator's details.")
    checks: list[PartOut]
    providers: list[ProviderStateOut] = Field(description="The remote services in use.")
    jobs: dict[str, int] = Field(description="Your own jobs by status, without completed ones.")
    vector_move: VectorProgressOut | None = Field(
        description="How far your own vectors have moved to another local model."
    )


@router.get("/diagnostics", response_model=DiagnosticsOut)
async def diagnostics(
    request: Request, ports: PortsDep, settings: SettingsDep, caller: Reader
) -> DiagnosticsOut:
    """Say of each part of the server whether it works, and what follows if it does not. No remote
    service is called."""
    sees_details = is_operator(caller, request.app.state.owner)
    # The readiness is some seconds old; the state of providers costs nothing to read again.
    states = await request.app.state.readiness.report() | {
        name: provider.state().state for name, provider in ports.providers.items()
    }
    checks = [_check(name, part, states, settings, ports) for name, part in PARTS.items()]
    checks.append(await _check_reader(settings))
    if sees_details:
        for check in checks:
            check.details = await _details(check, states, settings, ports)
    providers = [
        _provider(name, provider, with_reason=sees_details)
        for name, provider in ports.providers.items()
    ]
    move = await find_move(ports, caller)
    is_degraded = any(part.status == "degraded" for part in (*checks, *providers))
    return DiagnosticsOut(
        status="degraded" if is_degraded else "ok",
        version=version("remem"),
        is_operator=sees_details,
        checks=checks,
        providers=providers,
        jobs=await count_jobs(ports, caller),
        vector_move=VectorProgressOut.model_validate(move, from_attributes=True) if move else None,
    )


def _check(
    name: str, part: Part, states: Mapping[str, str], settings: Settings, ports: Ports
) -> PartOut:
    if name == "languageModel" and not has_model(ports):
        return PartOut(name=name, status="off", says="No language model is set up; rules decide.")
    # A part without a check of its own is local: it works if what it needs is installed.
    is_ok = states.get(part.service, OK) == OK and _problem(part, settings) is None
    works = part.works
    if part.port in ("ocr", "asr"):
        works += f" The model reads {languages_read(settings, part.port)}."
    return PartOut(
        name=name, status="ok" if is_ok else "degraded", says=works if is_ok else part.fails
    )


def _problem(part: Part, settings: Settings) -> str | None:
    choice = choices(settings).get(part.port or "")
    return configuration_problem(choice, settings) if choice else None


async def _check_reader(settings: Settings) -> PartOut:
    if not settings.reader:
        says = "The reader is switched off; nothing is ranked or answered by reading."
        return PartOut(name=READER, status="off", says=says)
    if await asyncio.to_thread(reader_problem):
        says = "The reader's files are incomplete; nothing is ranked or answered by reading."
        return PartOut(name=READER, status="degraded", says=says)
    return PartOut(name=READER, status="ok", says="Results are ranked and answers read by it.")


def _provider(name: str, provider: ModelProvider, *, with_reason: bool) -> ProviderStateOut:
    current = provider.state()
    retry_in_s = max(1, round(current.retry_in_s)) if current.state == "paused" else None
    return ProviderStateOut(
        name=name,
        status="ok" if current.state == OK else "degraded",
        state=current.state,
        says=_STATES[current.state].format(seconds=retry_in_s),
        retry_in_s=retry_in_s,
        reason=current.reason if with_reason else None,
    )


async def _details(
    check: PartOut, states: Mapping[str, str], settings: Settings, ports: Ports
) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if part := PARTS.get(check.name):
        choice = choices(settings).get(part.port or "")
        details["state"] = states.get(part.service, OK)
        details["adapter"] = choice.name if choice else None
        details["problem"] = _problem(part, settings)
    elif check.status == "degraded":
        details["problem"] = await asyncio.to_thread(reader_problem)
    match check.name:
        case "embedder":
            details["model"] = ports.embedder.model
        case "languageModel":
            details["model"] = model_name(ports)
        case "queue":
            details["waiting"] = {job.name: job.count for job in await ports.queue.waiting()}
        case "disk":
            usage = await asyncio.to_thread(shutil.disk_usage, settings.data_dir)
            details["freeBytes"] = usage.free
    return {name: value for name, value in details.items() if value is not None}

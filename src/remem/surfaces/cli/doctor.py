"""`remem doctor`: check everything, and say how to fix what is wrong."""

import asyncio
import os
import re
import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import typer

from remem.core.errors import RememError
from remem.surfaces.cli import installation, web_build
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import FAILED, out, print_json

if TYPE_CHECKING:
    import httpx2

    from remem.choices import Choice
    from remem.client import AsyncRemem
    from remem.settings import Settings

MIN_FREE_BYTES = 200_000_000
CONNECT_S = 3.0
_DEFAULT_PORTS = {"https": 443, "http": 80, "redis": 6379, "rediss": 6379}
_FIXES = {
    "database": "look at postgres.log in the data folder, or check REMEM_DATABASE_URL",
    "queue": "restart remem; its tables are made at start",
    "disk": "free some space on the disk of the data folder, and make it writable",
    "embedding": "run `make setup`, or check the REMEM_EMBEDDING_ settings",
    "backups": "`remem status` says why; `remem backup` makes one now",
    "llm": "check the REMEM_LLM_ settings and the provider; until it answers, rules decide",
    "ocr": "check the REMEM_OCR_ settings and the provider; pictures wait until it answers",
    "qdrant": "check REMEM_QDRANT_URL and that Qdrant runs; until then search is by word only",
    "redis": "check REMEM_REDIS_URL and that Redis runs; until then PostgreSQL does its work",
    "asr": "check the REMEM_ASR_ settings and the provider; sound waits until it answers",
}
_READER_FIX = (
    "in a clone, run `git restore src/remem/models/reader` and `make setup`; elsewhere install"
    " remem again; until then nothing is reranked or answered by reading"
)
_PORTS = {
    "database": "PostgreSQL",
    "blobs": "Originals",
    "cache": "Answer cache",
    "rate": "Request counts",
    "vector_index": "Vector index",
    "embedding": "Embedding model",
    "ocr": "Text in pictures",
    "asr": "Speech",
    "llm": "Language model",
    "secrets": "Secrets of connections",
}


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    says: str
    fix: str = ""


def doctor(as_json: Json = False) -> None:
    """Check the machine, the packages, the store and the models, and say how to fix each problem.

    Example: remem doctor
    """
    from remem.logs import configure
    from remem.settings import load

    settings = load()
    configure(settings, quiet=True)
    checks = [*_machine(settings), _packages(), *_adapters(settings), _reader(settings)]
    checks += [_video(), _web_app(), _setting_names()]
    checks += asyncio.run(_store(settings))
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        _print(checks)
    if not all(check.ok for check in checks):
        raise typer.Exit(FAILED)


def _machine(settings: "Settings") -> Iterator[Check]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield Check("Python", sys.version_info >= (3, 11), version, "install Python 3.11 or newer")
    folder = settings.data_dir
    existing = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    yield Check(
        "Data folder",
        os.access(existing, os.W_OK | os.X_OK),
        str(folder),
        "make it writable, or set REMEM_DATA_DIR to another folder",
    )
    free = shutil.disk_usage(existing).free
    yield Check(
        "Free disk", free > MIN_FREE_BYTES, f"{free / 1e9:.1f} GB", "free some space on that disk"
    )


def _video() -> Check:
    from remem.choices import describe_video

    # It is optional, so its absence is no failure.
    return Check("Video", True, describe_video())


def _web_app() -> Check:
    problem = web_build.web_app_problem()
    return Check("Web app", not problem, problem or "current", web_build.FIX)


def _setting_names() -> Check:
    from remem.unknown_settings import describe_unknown

    unknown = describe_unknown(os.environ)
    return Check("Settings", not unknown, unknown or "every name is known", "see docs/settings.md")


def _packages() -> Check:
    problems = installation.find_problems()
    says = "; ".join(problem.says for problem in problems) or "all that remem requires"
    return Check("Packages", not problems, says, installation.fix(problems) if problems else "")


def _adapters(settings: "Settings") -> Iterator[Check]:
    from remem.choices import choices, configuration_problem

    for port, choice in choices(settings).items():
        problem = configuration_problem(choice, settings)
        if problem is not None:
            fix = "see docs/settings.md for the settings it needs"
            yield Check(_PORTS[port], False, f"{choice.name}: {problem}", fix)
        else:
            yield _provider(_PORTS[port], choice, settings)


def _reader(settings: "Settings") -> Check:
    from remem.choices import reader_problem

    if not settings.reader:
        return Check("Reader", True, "switched off by REMEM_READER; `ask` quotes whole sentences")
    problem = reader_problem()
    return Check("Reader", not problem, problem or "local: its weights are complete", _READER_FIX)


def _provider(name: str, choice: "Choice", settings: "Settings") -> Check:
    """Check a service by connecting only: a real request may cost money."""
    from remem.choices import languages_read, missing_key, remote_address

    description = f"{choice.name}: {choice.adapter.about}"
    if choice.adapter.reads:
        description += f"; it reads {languages_read(settings, choice.port)}"
    if key := missing_key(choice, settings):
        return Check(name, False, f"{choice.name}: there is no key", key)
    address = remote_address(choice, settings)
    if address and not _can_connect(address):
        fix = "start it, or correct its address; until then work that needs it is queued or skipped"
        return Check(
            name, False, f"{choice.name}: nothing answers at {_without_password(address)}", fix
        )
    return Check(name, True, description)


def _can_connect(address: str) -> bool:
    try:
        parts = urlsplit(address)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 80)
        with socket.create_connection((parts.hostname or "", port), CONNECT_S):
            return True
    except (OSError, ValueError):
        return False


def _without_password(address: str) -> str:
    """Mask a password in an address."""
    return re.sub(r"//[^/@]*@", "//", address)


async def _store(settings: "Settings") -> list[Check]:
    from remem.client import AsyncRemem

    try:
        async with AsyncRemem() as client:
            checks = [*_health(await client.health()), await _identity(client)]
    except RememError as error:
        return [Check("Store", False, error.message, "see the message")]
    except ImportError as error:
        return [Check("Store", False, str(error), "install the packages above")]
    return [*checks, _key_file(settings), await _server(settings)]


def _health(health: dict[str, Any]) -> Iterator[Check]:
    for name, state in health["checks"].items():
        yield Check(name.capitalize(), state == "ok", state, _fix(name, state))


def _fix(name: str, state: str) -> str:
    if state == "budget_spent":
        return "raise REMEM_LLM_MONTHLY_TOKENS, or wait for the next month; until then rules decide"
    return _FIXES.get(name, "read the server's log")


async def _identity(client: "AsyncRemem") -> Check:
    who = await client.whoami()
    return Check("Identity", True, f"{who['name']} <{who['email']}>")


def _key_file(settings: "Settings") -> Check:
    path = settings.owner_key_path
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    fix = f"run: chmod 600 {path}"
    return Check("Owner's key", mode == 0o600, f"{path} ({mode:o})" if mode else "missing", fix)


async def _server(settings: "Settings") -> Check:
    """Check the server. It need not run, but when it runs it should be healthy."""
    import httpx2

    from remem.client.local_server import find_server
    from remem.surfaces.cli.browser import loopback_url

    server = find_server()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    configured = f"http://{host}:{settings.port}"
    address = server.url if server else loopback_url(configured) or configured
    try:
        async with httpx2.AsyncClient(timeout=5) as http:
            reply = await http.get(f"{address}/health")
    except httpx2.TransportError:
        return Check("Server", True, f"none at {address}; `remem serve` starts one")
    failing = {name: state for name, state in _checks(reply).items() if state != "ok"}
    if reply.status_code == 200 and failing:
        says = f"{address} is degraded: " + ", ".join(f"{name} {failing[name]}" for name in failing)
        fix = "; ".join(_fix(name, state) for name, state in failing.items())
        return Check("Server", False, says, fix)
    says = f"{address} answers {reply.status_code}"
    return Check("Server", reply.status_code == 200, says, "restart it, and read its log")


def _checks(reply: "httpx2.Response") -> dict[str, str]:
    try:
        return reply.json()["checks"]
    except (ValueError, LookupError, TypeError):
        return {}


def _print(checks: list[Check]) -> None:
    """Print one line per check and let the terminal wrap it, so that a command in it can be
    copied."""
    from rich.text import Text

    width = max(len(check.name) for check in checks)
    for check in checks:
        mark = ("ok", "green") if check.ok else ("!!", "red")
        says = check.says if check.ok else f"{check.says} → {check.fix}"
        line = Text.assemble(mark, f"  {check.name:<{width}}  {says}")
        out.print(line, highlight=False, soft_wrap=True)

"""Shared fixtures: a real server over HTTP, the core's ports on the same store, new accounts."""

import gc
import json
import os
import re
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx2
import hypothesis
import pytest
from httpx2._transports import default

from remem.bootstrap import open_ports
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from remem.settings import Settings
from tests.tools.external import external_server, store_settings
from tests.tools.folders import new_folder
from tests.tools.github import CLIENT_ID, FakeGitHub
from tests.tools.github import running as running_github
from tests.tools.preloaded import limit_descriptors, remem_process
from tests.tools.programs import put_programs
from tests.tools.quick_passwords import use_quick_passwords
from tests.tools.sharing_files import SharingFiles

START_TIMEOUT_S = 120
ADMIN_KEY = "the operator's key of the tests"
# The only loopback address that the server may fetch from; it refuses those of the other sites.
READABLE_HOST = "127.83.83.83"

# Otherwise every program that a test starts would compile the whole source again.
sys.dont_write_bytecode = False
os.environ["PYTHONDONTWRITEBYTECODE"] = ""

# Keep the developer's own settings and sign-ins out of the tests, and the tests out of them.
_config_dir = tempfile.TemporaryDirectory(prefix="remem-config-")
os.environ["REMEM_CONFIG_DIR"] = _config_dir.name

# A shell starts background jobs with SIGINT ignored, and every process we start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Imported modules live until the end: having the garbage collector scan them again takes seconds.
gc.disable()

use_quick_passwords()

# Otherwise each client would read the machine's certificates again, which takes 50 ms.
default.create_ssl_context = cache(default.create_ssl_context)

# The backlog of a real server. With the default of 5, some of 20 concurrent callers are reset.
socketserver.TCPServer.request_queue_size = 128
# Headers and body are sent in two writes: with Nagle's algorithm the second waits 40 ms for an ACK.
socketserver.StreamRequestHandler.disable_nagle_algorithm = True

# The duration of an example says more about the machine than about the code.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


# The slowest files, slowest first. Started last, a slow file would keep one worker busy while the
# other has nothing left to do.
SLOW_FILES = (
    "web/",
    "extension/",
    "fuzz/test_schema.py",
    "surfaces/rest/test_tenancy.py",
    "surfaces/mcp/test_inspector.py",
    "surfaces/cli/test_every_command.py",
    "e2e/test_kill",
    "e2e/test_tiny_model.py",
    "conformance/test_asr.py",
    "surfaces/rest/test_what_is_gone.py",
    "transfer/test_kill.py",
    "surfaces/cli/test_backup.py",
    "e2e/",
    "conformance/test_hostile_files.py",
    "surfaces/rest/test_v3_finding.py",
    "surfaces/rest/test_uploads.py",
    "linear/",
)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    # After all other hooks. The sort is stable, so a shuffled order is kept within each group.
    yield
    items.sort(key=_slowness_rank)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SharingFiles | None:
    return SharingFiles(config, log) if config.getvalue("dist") == "loadfile" else None


def _slowness_rank(item: pytest.Item) -> int:
    path = item.nodeid.removeprefix("tests/")
    ranks = (rank for rank, start in enumerate(SLOW_FILES) if path.startswith(start))
    return next(ranks, len(SLOW_FILES))


@dataclass(frozen=True)
class Server:
    """A `remem serve` process with its own data folder."""

    url: str
    data_dir: Path
    process: subprocess.Popen[str]
    banner: list[str]

    @property
    def folders(self) -> Path:
        """The folder that contains everything that may be connected as a folder."""
        return folders_of(self.data_dir)

    @property
    def owner_key(self) -> str:
        return (self.data_dir / "owner.key").read_text().strip()


def folders_of(data_dir: Path) -> Path:
    return data_dir / "connected"


def start_server(
    data_dir: Path,
    descriptors: int | None = None,
    module: str = "remem",
    port: int = 0,
    **environment: str,
) -> Server:
    """Start a server, by default on any free port, and wait until it reports that it is ready.
    `descriptors` limits how many files and sockets it may open."""
    env = {
        **os.environ,
        "REMEM_DATA_DIR": str(data_dir),
        "REMEM_RATE_LIMIT": "1000000",
        "REMEM_CLIENT_REGISTRATIONS": "1000000",
        "REMEM_SIGN_IN_LIMIT": "1000000",
        "REMEM_REGISTRATION_LIMIT": "1000000",
        "REMEM_LOG_LEVEL": "warning",
        # Nothing listens there: no test calls the real service.
        "REMEM_GITHUB_URL": "http://127.0.0.1:9",
        "REMEM_GITHUB_CLIENT_ID": CLIENT_ID,
        "REMEM_FOLDERS": json.dumps([str(folders_of(data_dir))]),
        **environment,
    }
    process = remem_process(
        *("serve", "--port", str(port)),
        env=env,
        module=module,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=partial(limit_descriptors, descriptors) if descriptors else None,
    )
    banner: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        banner.append(line.rstrip("\n"))
        if line.startswith("Ctrl-C"):
            break
    match = re.search(r"ready at (http://\S+)", "\n".join(banner))
    assert match, f"the server did not start: {banner}"
    return Server(match.group(1), data_dir, process, banner)


def stop_server(server: Server) -> None:
    server.process.terminate()
    server.process.wait(timeout=START_TIMEOUT_S)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Put the same ffmpeg and tesseract on the PATH of every machine, whatever is installed."""
    folder = put_programs(tmp_path_factory.mktemp("programs"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def databases() -> Iterator[None]:
    yield
    if external := external_server():
        external.close()


@pytest.fixture
def data_dir() -> Iterator[Path]:
    folder = new_folder()
    yield folder
    if external := external_server():
        external.drop_store(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def served_github() -> Iterator[FakeGitHub]:
    with running_github(FakeGitHub()) as fake:
        yield fake


@pytest.fixture
def github(served_github: FakeGitHub) -> FakeGitHub:
    """The fake GitHub that the server reads, reset to empty."""
    served_github.reset()
    return served_github


@pytest.fixture(scope="session")
def server(served_github: FakeGitHub) -> Iterator[Server]:
    folder = new_folder()
    running = start_server(
        folder,
        module="tests.tools.quick_passwords",
        REMEM_GITHUB_URL=served_github.url,
        REMEM_ADMIN_KEY=ADMIN_KEY,
        REMEM_FETCH_PRIVATE=json.dumps([READABLE_HOST]),
    )
    yield running
    stop_server(running)
    shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Person:
    """A user with an account, an organization and an API key with every scope."""

    http: httpx2.Client
    key: str
    email: str
    password: str
    user_id: str
    tenant_id: str

    def post(self, path: str, body: Any) -> httpx2.Response:
        return self.http.post(path, json=body)

    def save(self, content: str, **fields: Any) -> dict[str, Any]:
        reply = self.post("/v3/memory", {"content": content, **fields})
        assert reply.status_code in (200, 201, 202), reply.text
        return reply.json()

    def recall(self, query: str, **fields: Any) -> list[dict[str, Any]]:
        reply = self.post("/v3/recall", {"query": query, **fields})
        assert reply.status_code == 200, reply.text
        return reply.json()["results"]


def new_person(server: Server) -> Person:
    """Register a new user. The caller closes `Person.http`."""
    email, password = f"{new_id()}@example.org", "correct horse"
    with httpx2.Client(base_url=server.url, timeout=60, verify=False) as browser:
        account = browser.post(
            "/v3/auth/register", json={"email": email, "password": password}
        ).json()
        key = browser.post(
            "/v3/api-keys",
            json={"name": "test", "scopes": ["read", "write", "admin"]},
            headers={"X-CSRF-Token": account["csrf_token"]},
        ).json()["key"]
    http = httpx2.Client(
        base_url=server.url,
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
        verify=False,
    )
    return Person(http, key, email, password, account["user_id"], account["organization_id"])


@pytest.fixture
def make_person(server: Server) -> Iterator[Callable[[], Person]]:
    people: list[Person] = []

    def make() -> Person:
        people.append(new_person(server))
        return people[-1]

    yield make
    for person in people:
        person.http.close()


@pytest.fixture
def person(make_person: Callable[[], Person]) -> Person:
    return make_person()


@pytest.fixture
def stranger(make_person: Callable[[], Person]) -> Person:
    return make_person()


@pytest.fixture(scope="session")
async def ports(server: Server, anyio_backend: str) -> AsyncIterator[Ports]:
    """The core's ports, opened on the server's store."""
    settings = Settings(**store_settings(server.data_dir), distil=True, analysis_processes=0)
    # A test may replace a rule by its own function, which only a thread of this process can call.
    async with open_ports(settings) as ports:
        yield ports


async def new_scope(ports: Ports) -> Scope:
    user, tenant = await register(ports, f"{new_id()}@example.org", "correct horse")
    return Scope(tenant_id=tenant.id, user_id=user.id, actor="test")


@pytest.fixture
async def scope(ports: Ports) -> Scope:
    return await new_scope(ports)

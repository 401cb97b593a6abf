"""Runs every command with pipes and in a terminal, and fails for commands that no test runs."""

import json
import runpy
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from remem.core.time import new_id
from remem.surfaces.cli.main import command_line
from tests.conftest import Person, Server, new_person
from tests.surfaces.cli.conftest import shell_of
from tests.surfaces.cli.running import Result, Shell
from tests.tools.waiting import until


def _letters() -> str:
    """A surname that nobody has yet."""
    return "".join(chr(ord("a") + int(digit, 16)) for digit in new_id().hex[-8:]).capitalize()


class Items:
    """Items to run commands on; each method creates one."""

    def __init__(self, person: Person, folder: Path, connected: Path) -> None:
        self.person, self.folder, self.connected = person, folder, connected

    def memory(self, content: str = "The harbour closes at six.") -> str:
        reply = self.person.post("/api/memories", {"content": content})
        return reply.json()["id"]

    def document(self) -> str:
        file = {"file": ("tide.txt", b"High tide is at noon on the fourth.")}
        return self.person.http.post("/v3/documents/upload", files=file).json()["id"]

    def highlight(self, document: str) -> str:
        path = f"/v3/documents/{document}/highlights"
        return self.person.post(path, {"quote": "noon"}).json()["id"]

    def failed(self) -> str:
        file = {"file": ("broken.pdf", b"%PDF-1.7 not really")}
        id = self.person.http.post("/v3/documents/upload", files=file).json()["id"]
        until(lambda: self.person.http.get(f"/v1/documents/{id}").json()["status"] == "failed")
        return id

    def project(self, slug: str = "work.notes") -> str:
        self.person.post("/v3/projects", {"name": "Notes", "slug": slug})
        return slug

    def project_id(self) -> str:
        return self.person.http.get(f"/v3/projects/{self.project()}").json()["id"]

    def session(self) -> str:
        return self.person.post("/api/sessions", {"agent": "harbour-talk"}).json()["id"]

    def instruction(self) -> str:
        return self.person.post("/v3/instructions", {"content": "Be brief."}).json()["id"]

    def calendar(self) -> str:
        return self.person.post("/v3/calendars", {"name": "What is due"}).json()["id"]

    def delivery(self) -> str:
        body = {"channel": "webhook", "address": "https://example.org/hook"}
        return self.person.post("/v3/deliveries", body).json()["id"]

    def entity(self, name: str) -> str:
        self.person.post("/api/memories", {"content": f"I met {name} for lunch in {_letters()}."})
        found = self.person.http.get("/v3/entities", params={"query": name}).json()["entities"]
        return next(item["id"] for item in found if item["name"] == name)

    def entity_change(self) -> str:
        id = self.entity(f"Walter {_letters()}")
        reply = self.person.http.patch(f"/v3/entities/{id}", json={"name": f"Rob {_letters()}"})
        return reply.json()["change_id"]

    def feed(self) -> str:
        reply = self.person.post("/api/feeds", {"url": f"https://example.org/{new_id()}.xml"})
        return reply.json()["id"]

    def subscriptions(self) -> str:
        address = f"https://example.org/{new_id()}.xml"
        feed = f"<outline type='rss' text='Tides' xmlUrl='{address}'/>"
        return self.file("feeds.opml", f"<opml version='2.0'><body>{feed}</body></opml>")

    def vault(self) -> str:
        """A folder that may be connected, with a note in it."""
        folder = self.connected / str(new_id())
        folder.mkdir(parents=True)
        (folder / "tide.md").write_text(f"Log of {folder.name}.")
        return str(folder)

    def connection(self, provider: str = "folder") -> str:
        """A connection; the GitHub one makes no requests, because nothing in it is chosen."""
        fields = {"path": self.vault()} if provider == "folder" else {}
        reply = self.person.post(f"/v3/connectors/{provider}/connect", {"fields": fields})
        return reply.json()["id"]

    def key(self) -> str:
        return self.person.post("/v3/api-keys", {"name": "extra"}).json()["id"]

    def job(self) -> str:
        reply = self.person.http.post(
            "/v3/memory?async=true", json={"content": f"Later {new_id()}."}
        )
        return reply.json()["job_id"]

    def file(self, name: str, text: str = "Something to keep.") -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def lines(self) -> str:
        path = self.folder / "lines.ndjson"
        path.write_bytes(self.person.http.get("/v3/export").content)
        return str(path)


class CachedItems(Items):
    """Items that are created once and then reused."""

    def __init__(self, person: Person, folder: Path, connected: Path) -> None:
        super().__init__(person, folder, connected)
        for name in ("memory", "document", "project", "session", "feed", "connection"):
            setattr(self, name, cache(getattr(self, name)))


Words = Callable[[Items], list[str]]

# Commands that need a server: the arguments, a part of the output, and the exit code.
SERVER: dict[str, tuple[Words, str, int]] = {
    "remem save": (lambda t: ["save", "The spare key is under the pot"], ": The spare key", 0),
    "remem recall": (lambda t: [t.document(), "recall", "when is high tide?"][1:], "noon", 0),
    "remem ask": (lambda t: [t.document(), "ask", "when is high tide?"][1:], "noon", 0),
    "remem agent ask": (lambda t: ["agent", "ask", "who", "was", "Ozymandias?"], "I don't know", 3),
    "remem sessions list": (lambda t: [t.session(), "sessions", "list"][1:], "harbour-talk", 0),
    "remem sessions get": (lambda t: ["sessions", "get", t.session()], "harbour-talk", 0),
    "remem sessions start": (lambda t: ["sessions", "start", "--agent", "cli"], "-", 0),
    "remem sessions add": (
        lambda t: ["sessions", "add", t.session(), "user", "Where", "is it?"],
        "Added",
        0,
    ),
    "remem sessions close": (lambda t: ["sessions", "close", t.session()], "Closed", 0),
    "remem sessions delete": (
        lambda t: ["sessions", "delete", t.session(), "--yes"],
        "Erased: 1",
        0,
    ),
    "remem feeds list": (lambda t: [t.feed(), "feeds", "list"][1:], "example.org", 0),
    "remem feeds add": (lambda t: ["feeds", "add", f"https://example.org/{new_id()}"], ": ", 0),
    "remem feeds remove": (lambda t: ["feeds", "remove", t.feed(), "--yes"], "Removed: 1", 0),
    "remem feeds import": (lambda t: ["feeds", "import", t.subscriptions()], "Subscribed: 1", 0),
    "remem feeds collect": (lambda t: ["feeds", "collect"], "Queued", 0),
    "remem connections list": (
        lambda t: [t.connection(), "connections", "list"][1:],
        "folder",
        0,
    ),
    "remem connections add": (
        lambda t: ["connections", "add", "folder", t.vault()],
        "Connected: /",
        0,
    ),
    "remem connections show": (lambda t: ["connections", "show", t.connection()], "active", 0),
    "remem connections choose": (
        lambda t: ["connections", "choose", t.connection()],
        "connected",
        0,
    ),
    "remem connections sync": (lambda t: ["connections", "sync", t.connection()], "Started", 0),
    "remem connections pause": (lambda t: ["connections", "pause", t.connection()], "paused", 0),
    "remem connections check": (lambda t: ["connections", "check", t.connection()], "tide.md", 0),
    "remem connections manifest": (
        lambda t: ["connections", "manifest", "slack"],
        "socket_mode_enabled: true",
        0,
    ),
    "remem connections webhook": (
        lambda t: ["connections", "webhook", t.connection("github")],
        "/v3/webhooks/github/",
        0,
    ),
    "remem connections remove": (
        lambda t: ["connections", "remove", t.connection(), "--erase", "--yes"],
        "Removed: /",
        0,
    ),
    "remem memories search-index": (
        lambda t: [
            t.memory(),
            *("memories", "search-index", "--query", "harbour", "--memory-mode", "balanced"),
        ][1:],
        "harbour",
        0,
    ),
    "remem memories create": (
        lambda t: [
            *("memories", "create", "--project-id", t.project_id(), "--category", "fact"),
            *("--title", "Tea", "--content", f"Tea {new_id()} is at four."),
        ],
        ": ",
        0,
    ),
    "remem memories foresight": (lambda t: ["memories", "foresight"], "", 0),
    "remem memories providers": (lambda t: ["memories", "providers"], "BM25", 0),
    "remem export": (lambda t: ["export", str(t.folder / "out.ndjson"), "--force"], "lines in", 0),
    "remem import file": (lambda t: ["import", t.lines()], "imported", 0),
    "remem import profile": (
        lambda t: ["import", "profile", t.file("a.txt", "- I like tea."), "--accept-all"],
        "1 accepted",
        0,
    ),
    "remem import agents": (lambda t: ["import", "agents"], "0 imported", 0),
    "remem open": (lambda t: ["open", "--no-browser"], "/open/", 0),
    "remem whoami": (lambda t: ["whoami"], "admin, read, write", 0),
    "remem profile": (lambda t: ["profile"], "Lasting", 0),
    "remem stats": (lambda t: ["stats"], "total documents", 0),
    "remem graph": (lambda t: [t.document(), "graph"][1:], "tide", 0),
    "remem events": (lambda t: [t.memory(), "events"][1:], "memory", 0),
    "remem evolve policy": (lambda t: ["evolve", "policy"], "built_in", 0),
    "remem evolve jobs": (lambda t: ["evolve", "jobs"], "", 0),
    "remem evolve run": (
        lambda t: [t.memory(f"Box {new_id()}."), "evolve", "run"][1:],
        "completed",
        0,
    ),
    "remem evolve arena": (lambda t: ["evolve", "arena"], "balanced_vector", 0),
    "remem evolve arena-campaign": (
        lambda t: ["evolve", "arena-campaign", "--max-projects", "2", "--time-budget-ms", "5000"],
        "No project has sessions",
        0,
    ),
    "remem evolve signals": (lambda t: ["evolve", "signals"], "No signals yet", 0),
    "remem evolve actions": (lambda t: ["evolve", "actions"], "Nothing was changed", 0),
    "remem jobs": (lambda t: ["jobs", t.job()], "process_document", 0),
    "remem memories list": (lambda t: [t.memory(), "memories", "list"][1:], "harbour", 0),
    "remem memories search": (
        lambda t: [t.memory(), "memories", "search", "when does the harbour close?"][1:],
        "harbour",
        0,
    ),
    "remem memories get": (lambda t: ["memories", "get", t.memory()], "closes at six", 0),
    "remem memories add": (lambda t: ["memories", "add", "Tea", "is at four."], ": ", 0),
    "remem memories edit": (
        lambda t: ["memories", "edit", t.memory(), "--title", "Harbour hours"],
        "Harbour hours",
        0,
    ),
    "remem memories merge": (
        lambda t: [
            "memories",
            "merge",
            t.memory(f"The lamp of pier {new_id()} is lit at dusk."),
            t.memory(f"Whale oil came by the {new_id()}."),
        ],
        "Whale oil came",
        0,
    ),
    "remem memories forget": (lambda t: ["memories", "forget", t.memory()], "Forgotten: 1", 0),
    "remem memories history": (lambda t: ["memories", "history", t.memory()], "closes at six", 0),
    "remem memories restore": (
        lambda t: [
            "memories",
            "restore",
            (id := t.memory("The gate is green."), t.person.http.delete(f"/api/memories/{id}"))[0],
        ],
        "Restored",
        0,
    ),
    "remem memories timeline": (lambda t: [t.memory(), "memories", "timeline"][1:], "harbour", 0),
    "remem memories due": (lambda t: ["memories", "due"], "", 0),
    "remem memories related": (lambda t: ["memories", "related", t.memory()], "", 0),
    "remem memories derive": (
        lambda t: ["memories", "derive", t.memory("Ana moved to Porto, and Luis plays chess.")],
        "",
        0,
    ),
    "remem memories review": (lambda t: ["memories", "review", t.memory(), "accept"], "active", 0),
    "remem documents list": (lambda t: [t.document(), "documents", "list"][1:], "tide", 0),
    "remem documents get": (lambda t: ["documents", "get", t.document()], "High tide is", 0),
    "remem documents status": (lambda t: ["documents", "status", t.document()], "done", 0),
    "remem documents versions": (lambda t: ["documents", "versions", t.document()], "yes", 0),
    "remem documents related": (lambda t: ["documents", "related", t.document()], "", 0),
    "remem documents edit": (
        lambda t: ["documents", "edit", t.document(), "--title", "Tides"],
        "Changed: Tides",
        0,
    ),
    "remem documents mark": (
        lambda t: ["documents", "mark", t.document(), "--unread"],
        "Marked: 1.",
        0,
    ),
    "remem documents retry": (lambda t: ["documents", "retry", t.failed()], "error", 1),
    "remem documents download": (
        lambda t: ["documents", "download", t.document(), str(t.folder / "tide.out"), "--force"],
        "35 bytes",
        0,
    ),
    "remem documents delete": (
        lambda t: ["documents", "delete", t.document(), "--permanently", "--yes"],
        "Erased: 1",
        0,
    ),
    "remem highlights list": (
        lambda t: [t.highlight(t.document()), "highlights", "list"][1:],
        "noon",
        0,
    ),
    "remem highlights add": (
        lambda t: ["highlights", "add", t.document(), "high tide", "--note", "Boat"],
        "Marked: High tide",
        0,
    ),
    "remem highlights remove": (
        lambda t: ["highlights", "remove", (id := t.document()), t.highlight(id)],
        "Removed",
        0,
    ),
    "remem instructions list": (
        lambda t: [t.instruction(), "instructions", "list"][1:],
        "Be brief.",
        0,
    ),
    "remem instructions add": (
        lambda t: ["instructions", "add", f"Mind {new_id()}."],
        "Mind",
        0,
    ),
    "remem instructions edit": (
        lambda t: ["instructions", "edit", t.instruction(), "Be kind."],
        "Be kind.",
        0,
    ),
    "remem instructions remove": (
        lambda t: ["instructions", "remove", t.instruction()],
        "Removed.",
        0,
    ),
    "remem calendars list": (
        lambda t: [t.calendar(), "calendars", "list"][1:],
        "What is due",
        0,
    ),
    "remem calendars add": (lambda t: ["calendars", "add", "Mine"], "/calendar/", 0),
    "remem calendars revoke": (
        lambda t: ["calendars", "revoke", t.calendar()],
        "Revoked.",
        0,
    ),
    "remem deliveries list": (
        lambda t: [t.delivery(), "deliveries", "list"][1:],
        "example.org",
        0,
    ),
    "remem deliveries add": (
        lambda t: ["deliveries", "add", "ntfy", "https://ntfy.example.org/mornings"],
        "ntfy.example.org",
        0,
    ),
    "remem deliveries confirm": (
        lambda t: ["deliveries", "confirm", t.delivery(), "123456"],
        "Confirmed.",
        0,
    ),
    "remem deliveries test": (lambda t: ["deliveries", "test", t.delivery()], "Queued.", 0),
    "remem deliveries log": (
        lambda t: ["deliveries", "log", t.delivery()],
        "Nothing was sent yet.",
        0,
    ),
    "remem deliveries remove": (
        lambda t: ["deliveries", "remove", t.delivery()],
        "Removed.",
        0,
    ),
    "remem entities list": (
        lambda t: [t.entity("Robert Miller"), "entities", "list", "miller"][1:],
        "Robert Miller",
        0,
    ),
    "remem entities rename": (
        lambda t: ["entities", "rename", t.entity(f"Harold {_letters()}"), f"Harry {_letters()}"],
        "Undo it with",
        0,
    ),
    "remem entities merge": (
        lambda t: ["entities", "merge", *(t.entity(f"Oscar {_letters()}") for _ in range(2))],
        "2 memories.",
        0,
    ),
    "remem entities split": (
        lambda t: [
            *("entities", "split", t.entity("Robert Miller"), "Bobby", "--spelling", "Nobody"),
        ],
        "are not all among its aliases",
        1,
    ),
    "remem entities changes": (
        lambda t: [t.entity_change(), "entities", "changes"][1:],
        "Rob ",
        0,
    ),
    "remem entities undo": (
        lambda t: ["entities", "undo", t.entity_change()],
        "Undone.",
        0,
    ),
    "remem projects list": (lambda t: [t.project(), "projects", "list"][1:], "work.notes", 0),
    "remem projects get": (lambda t: ["projects", "get", t.project()], "Notes", 0),
    "remem projects add": (lambda t: ["projects", "add", f"Garden {new_id()}"], "Garden", 0),
    "remem projects edit": (
        lambda t: ["projects", "edit", t.project(), "--name", "Old notes"],
        "Old notes",
        0,
    ),
    "remem projects archive": (
        lambda t: ["projects", "archive", t.project("home.attic"), "--yes"],
        "Moved to",
        0,
    ),
    "remem projects by-repository": (
        lambda t: ["projects", "by-repository", "--dry-run"],
        "Nothing to move",
        0,
    ),
    "remem projects delete": (
        lambda t: ["projects", "delete", t.project("home.cellar"), "--yes"],
        "Erased: Notes",
        0,
    ),
    "remem keys list": (lambda t: ["keys", "list"], "mc_", 0),
    "remem keys add": (lambda t: ["keys", "add", "laptop", "--scope", "read"], "mc_", 0),
    "remem keys revoke": (lambda t: ["keys", "revoke", t.key(), "--yes"], "Revoked", 0),
}
# Commands that need a server but change nothing, and run on the same items.
READ_ONLY = {
    f"remem {command}"
    for command in (
        *("recall", "ask", "sessions list", "sessions get", "feeds list", "connections list"),
        *("connections show", "connections check", "connections manifest", "connections webhook"),
        *("memories search-index", "memories foresight", "memories providers", "memories list"),
        *("memories search", "memories get", "memories history", "memories timeline"),
        *("memories due", "memories related", "documents list", "documents get"),
        *("documents status", "documents versions", "documents related", "documents download"),
        *("projects list", "projects get", "keys list", "export", "open", "whoami", "profile"),
        *("stats", "graph", "evolve policy"),
    )
}
# Commands that need no store, or only this machine's settings.
LOCAL: dict[str, tuple[list[str], str, int]] = {
    "remem config list": (["config", "list"], "rate_limit", 0),
    "remem config get": (["config", "get", "host"], "127.0.0.1", 0),
    "remem config set": (["config", "set", "pool_size", "7"], "is saved in", 0),
    "remem config unset": (["config", "unset", "ocr"], "is not in", 3),
    "remem config path": (["config", "path"], "config.toml", 0),
    "remem install": (["install"], "claude-code", 0),
    "remem logout": (["logout"], "You are not signed in", 3),
    "remem hook turn": (["hook", "turn"], "{}", 0),
    "remem hook end": (["hook", "end"], "{}", 0),
    "remem hook save": (["hook", "save"], "0 saved", 0),
}
# Commands with their own tests, and the files of these tests.
ELSEWHERE = {
    "remem serve": "tests/surfaces/cli/test_this_machine.py",
    "remem status": "tests/surfaces/cli/test_local_server.py",
    "remem worker": "tests/surfaces/cli/test_this_machine.py",
    "remem mcp": "tests/surfaces/cli/test_this_machine.py",
    "remem demo": "tests/surfaces/cli/test_this_machine.py",
    "remem doctor": "tests/surfaces/cli/test_this_machine.py",
    "remem backup": "tests/surfaces/cli/test_backup.py",
    "remem restore": "tests/surfaces/cli/test_backup.py",
    "remem upgrade": "tests/surfaces/cli/test_upgrade.py",
    "remem reembed": "tests/surfaces/cli/test_backup.py",
    **{
        f"remem tenants {name}": "tests/surfaces/cli/test_tenants.py"
        for name in ("list", "usage", "plan", "limit", "suspend", "resume")
    },
    **{
        f"remem service {name}": "tests/surfaces/cli/test_service.py"
        for name in ("install", "status", "logs", "uninstall")
    },
    **{
        f"remem hook {name}": "tests/surfaces/cli/test_prompt_hook.py"
        for name in ("prompt", "compact", "why", "mute")
    },
    "remem statusline": "tests/surfaces/cli/test_prompt_hook.py",
    **{
        f"remem trash {name}": "tests/surfaces/cli/test_trash.py"
        for name in ("list", "restore", "empty")
    },
    "remem check": "tests/surfaces/cli/test_check_and_eval.py",
    "remem eval": "tests/surfaces/cli/test_check_and_eval.py",
    "remem distribute": "tests/surfaces/cli/test_tenants.py",
    "remem vectors status": "tests/surfaces/cli/test_vectors.py",
    "remem vectors move": "tests/surfaces/cli/test_vectors.py",
    "remem secrets rotate": "tests/surfaces/cli/test_backup.py",
    "remem login": "tests/surfaces/cli/test_login.py",
    "remem hook start": "tests/surfaces/cli/test_hooks.py",
}
# Messages on standard error for an empty list.
EMPTY_MESSAGES = (
    "Nothing is due.\n",
    "It is linked to nothing.\n",
    "Nothing is similar.\n",
    "No jobs yet; `remem evolve run` runs those that are due.\n",
    "No project has sessions yet.\n",
    "Nothing was changed yet.\n",
    "No signals yet.\n",
    "No sessions to import.\n",
    "Nothing to move: no project is named after a folder.\n",
)
ROOT = Path(__file__).parents[3]


@cache
def root_command() -> Any:
    """Cached, because building it is slow and nothing changes it."""
    return typer.main.get_command(command_line([]))


def all_commands() -> dict[str, list[str]]:
    group = root_command()
    commands = runpy.run_path(str(ROOT / "tools" / "write_cli_docs.py"))["commands"]
    return {
        name: [option for param in command.params for option in param.opts]
        for name, command in commands(group)
    }


def test_every_command_is_tested() -> None:
    assert set(all_commands()) == {*SERVER, *LOCAL, *ELSEWHERE}
    assert set(SERVER) >= READ_ONLY
    for command, file in ELSEWHERE.items():
        words = command.removeprefix("remem ").split()
        quoted = ", ".join(f'"{word}"' for word in words)
        text = (ROOT / file).read_text()
        assert quoted in text, command


@pytest.fixture(scope="module")
def shared_items(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Items]:
    person = new_person(server)
    yield CachedItems(person, tmp_path_factory.mktemp("things"), server.folders)
    person.http.close()


@pytest.fixture
def items(command: str, request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Items:
    if command in READ_ONLY:
        return request.getfixturevalue("shared_items")
    return Items(request.getfixturevalue("person"), tmp_path, server.folders)


@pytest.fixture
def shell(items: Items, tmp_path: Path) -> Shell:
    return shell_of(items.person, tmp_path)


def check(result: Result, output: str, code: int) -> None:
    assert result.code == code, result
    assert output in result.out + result.err, result
    assert "Traceback" not in result.out + result.err


@pytest.mark.parametrize("command", SERVER)
def test_a_command_that_needs_a_server(shell: Shell, items: Items, command: str) -> None:
    words, output, code = SERVER[command]
    result = shell.piped(*words(items))
    check(result, output, code)
    assert "\x1b" not in result.out + result.err
    if code == 0:
        assert result.err in ("", "Copy it now: it is not shown again.\n", *EMPTY_MESSAGES)
    check(shell.terminal(*words(items)), output, code)


@pytest.mark.parametrize("command", [name for name in SERVER if "--json" in all_commands()[name]])
def test_json_output(shell: Shell, items: Items, command: str) -> None:
    words, _, code = SERVER[command]
    result = shell.piped(*words(items), "--json")
    assert result.code == code, result
    body: Any = json.loads(result.out)
    assert isinstance(body, dict | list)


@pytest.mark.parametrize("command", LOCAL)
def test_a_command_that_needs_no_store(fresh: Shell, command: str) -> None:
    words, output, code = LOCAL[command]
    check(fresh.piped(*words), output, code)
    check(fresh.terminal(*words), output, code)
    assert not list(Path(fresh.environment["REMEM_DATA_DIR"]).iterdir())


@pytest.mark.parametrize("command", all_commands())
def test_help_has_an_example(command: str) -> None:
    command_group = root_command()
    for word in command.split()[1:]:
        assert isinstance(command_group, typer.core.TyperGroup)
        command_group = command_group.commands[word]
    assert "Example" in (command_group.help or ""), command
    assert command in (command_group.help or ""), command

"""The speed of the web app with 50,000 documents and a graph of 10,000 nodes, in a real Chromium.

Rows are inserted into the tables directly; the page is used over HTTP on loopback. Script time is
CPU time of the page's main thread, which other load hardly changes; figures marked (wall) are
wall-clock time. Chromium has no GPU here: the graph is drawn on a canvas."""

import argparse
import asyncio
import importlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx2
from graph import put_links, sentences
from sets.bulk import CHUNKS_A_DOCUMENT, Home, Writer, unindexed
from sets.serving import served

from remem.adapters.database.embedded import EmbeddedPostgres
from remem.bootstrap import open_ports
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.projects.manage import list_projects
from remem.core.scope import ALL_RIGHTS, Scope
from remem.core.time import new_id
from remem.settings import Settings

DOCUMENTS, NODES = 50_000, 10_000
# Documents with an index, which search can find; the others only fill the library.
SEARCHED = 2_500
PAGES_SCROLLED = 40
DRAGS = 30
QUERY = "where does the team meet in May"
EMAIL, PASSWORD = "bench@example.org", "correct horse"
TYPES = ("person", "organization", "place", "technology", "concept")
# Records when the page is first usable, and the time of each change.
_WATCH = """
window.noted = {usable: null, changes: []};
new MutationObserver(() => {
  if (noted.usable === null && document.querySelector('main textarea'))
    noted.usable = performance.now();
  requestAnimationFrame(() => noted.changes.push(performance.now()));
}).observe(document, {childList: true, subtree: true, characterData: true});
"""


_SCRIPT_BYTES = """performance.getEntriesByType('resource').filter(e => /\\.js$/.test(e.name))
  .reduce((sum, e) => sum + e.encodedBodySize, 0)"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--pictures", type=Path, help="a folder for screenshots")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as name:
        folder = Path(name)
        asyncio.run(fill(folder, args.documents, args.nodes))
        with served(folder) as server:
            figures = measure(server.url, args.pictures)
    for label, value in figures.items():
        print(f"{label:58}{value:>12,.1f}")
    print(json.dumps(figures))


async def fill(folder: Path, documents: int, nodes: int) -> None:
    rng = random.Random(11)
    async with open_ports(Settings(data_dir=folder)) as ports:
        user, tenant = await register(ports, EMAIL, PASSWORD)
        scope = Scope(tenant.id, user.id, ALL_RIGHTS, actor="bench")
        home = Home(tenant.id, user.id, (await list_projects(ports, scope))[0].id)
        connection = await asyncpg.connect(await EmbeddedPostgres(folder).start())
        async with unindexed(connection):
            await _fill(ports, connection, home, rng, documents, nodes)
        await connection.close()


async def _fill(
    ports: Ports,
    connection: asyncpg.Connection,
    home: Home,
    rng: random.Random,
    documents: int,
    nodes: int,
) -> None:
    searched = min(SEARCHED, documents)
    writer = Writer(connection, await sentences(ports), ports.embedder.model, rng)
    await writer.fill(home, "chunk", searched * CHUNKS_A_DOCUMENT)
    await writer.fill(home, "memory", nodes // 2)
    await connection.execute(
        "INSERT INTO documents (tenant_id, id, project_id, user_id, title, content, summary,"
        " content_type, tags, content_hash, root_id, status, created_at)"
        " SELECT $1, id, $2, $3, 'Note ' || n || ' of the harbour', 'Text ' || n,"
        " 'What was seen in the harbour that day, in a sentence or two.',"
        " (ARRAY['note','markdown','pdf','html'])[1 + n % 4], ARRAY['tag' || n % 90], id::text,"
        " id, 'done', now() - n * interval '10 minutes'"
        " FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $4) n) made",
        home.tenant_id, home.project_id, home.user_id, documents - searched,
    )  # fmt: skip
    await _connect(connection, home, rng, nodes // 3 + 100)


async def _connect(
    connection: asyncpg.Connection, home: Home, rng: random.Random, entities: int
) -> None:
    """Give the memories mentions, documents and links."""
    memories = [row["id"] for row in await connection.fetch("SELECT id FROM memories ORDER BY id")]
    things = [new_id() for _ in range(entities)]
    await connection.executemany(
        "INSERT INTO entities (tenant_id, id, project_id, type, name, name_normalized, aliases)"
        " VALUES ($1, $2, $3, $4, $5, $5, '{}')",
        [
            (home.tenant_id, id, home.project_id, rng.choice(TYPES), f"thing {number}")
            for number, id in enumerate(things)
        ],
    )
    await connection.execute(
        "UPDATE memories SET document_id = (SELECT id FROM documents WHERE tenant_id = $1"
        " AND memories.id IS NOT NULL ORDER BY random() LIMIT 1)"
        " WHERE tenant_id = $1 AND id = ANY($2)",
        home.tenant_id,
        memories[:200],
    )
    await put_links(connection, home, list(_links(memories, things, rng)))


def _links(
    memories: Sequence[UUID], things: Sequence[UUID], rng: random.Random
) -> list[tuple[UUID, str, UUID, str]]:
    weights = [1 / (place + 20) for place in range(len(things))]
    mentions = [
        (id, "entity", thing, "mentions")
        for id in memories
        for thing in set(rng.choices(things, weights, k=3))
    ]
    # Link close neighbours, like statements of the same day.
    near = [
        (id, "memory", memories[(n + rng.randint(1, 12)) % len(memories)], "similar")
        for n, id in enumerate(memories)
    ]
    return mentions + near


def measure(url: str, pictures: Path | None) -> dict[str, float]:
    sys.path.append(str(Path(__file__).parents[1]))
    chromium = importlib.import_module("tests.tools.chromium")
    with chromium.open_browser() as opened:
        tab = opened.new_page()
        browser = Browser(tab, url)
        browser.sign_in()
        figures = {**first_load(browser), **library(browser), **search(browser), **graph(browser)}
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            (pictures / "graph-canvas.png").write_bytes(tab.screenshot(1280, 860))
    return {label: round(value, 1) for label, value in figures.items()}


class Browser:
    """One tab with its performance metrics."""

    def __init__(self, tab: Any, url: str) -> None:
        self.tab, self.url = tab, url
        tab.send("Performance.enable", timeDomain="threadTicks")
        tab.send("Network.enable")
        tab.send("Network.setCacheDisabled", cacheDisabled=True)
        tab.send("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
        tab.send(
            "Emulation.setDeviceMetricsOverride",
            width=1280, height=860, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def sign_in(self) -> None:
        body = {"email": EMAIL, "password": PASSWORD}
        reply = httpx2.post(f"{self.url}/v3/auth/login", json=body)
        reply.raise_for_status()
        for name, value in dict(reply.cookies).items():
            self.tab.send("Network.setCookie", name=name, value=value, url=self.url)

    def go(self, path: str, ready: str) -> None:
        self.tab.events.clear()
        self.tab.open(self.url + path)
        self.tab.wait(ready)

    def script_ms(self) -> float:
        return 1000 * self.metric("ScriptDuration")

    def metric(self, name: str) -> float:
        metrics = self.tab.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == name)

    def settle(self) -> None:
        with suppress(AssertionError):
            self.tab.send(
                "Runtime.evaluate",
                expression="new Promise(r => requestIdleCallback(r, {timeout: 5000}))",
                awaitPromise=True,
            )


def first_load(browser: Browser) -> dict[str, float]:
    """Load the home page with an empty browser cache."""
    browser.go("/dashboard", "noted.usable !== null")
    browser.settle()
    html = browser.tab.run("performance.getEntriesByType('navigation')[0].responseEnd")
    return {
        "first load: JavaScript, gzipped, kB": browser.tab.run(_SCRIPT_BYTES) / 1000,
        "first load: usable after the HTML, ms (wall)": browser.tab.run("noted.usable") - html,
        "first load: script time, ms": browser.script_ms(),
    }


def library(browser: Browser) -> dict[str, float]:
    """Open the library, then scroll through PAGES_SCROLLED pages."""
    rows = "document.querySelectorAll('main [data-index]').length"
    browser.go("/library?view=table", f"{rows} > 5")
    browser.settle()
    opened = browser.script_ms()
    for page in range(1, PAGES_SCROLLED + 1):
        browser.tab.run("content.scrollTo(0, content.scrollHeight)")
        last = (
            "Math.max(...[...document.querySelectorAll('[data-index]')].map(e => +e.dataset.index))"
        )
        browser.tab.wait(f"{last} >= {page * 50}")
    browser.settle()
    return {
        "library of all documents: script time to open, ms": opened,
        "library: script time for each further page of 50, ms": (browser.script_ms() - opened)
        / PAGES_SCROLLED,
        "library: rows in the page after 2,000 were seen": browser.tab.run(rows),
        "library: heap after 2,000 were seen, MB": browser.metric("JSHeapUsedSize") / 1e6,
    }


def search(browser: Browser) -> dict[str, float]:
    """Type a query letter by letter; measure from each reply of the API until it is painted."""
    browser.go("/search", "document.querySelector('main input')")
    browser.settle()
    before = browser.script_ms()
    browser.tab.run("document.querySelector('main input').focus()")
    for letter in QUERY:
        browser.tab.send("Input.insertText", text=letter)
    browser.tab.wait("document.querySelectorAll('main article, main li').length > 3")
    browser.settle()
    time.sleep(1)
    spent = browser.script_ms() - before
    delays = browser.tab.run(
        "performance.getEntriesByType('resource').filter(e => e.name.includes('/v3/recall'))"
        ".map(e => noted.changes.find(t => t >= e.responseEnd) - e.responseEnd)"
    )
    return {
        "search: script time for each letter typed, ms": spent / len(QUERY),
        "search: answers of the API while typing": len(delays),
        "search: results painted after the last answer, ms (wall)": delays[-1],
    }


def graph(browser: Browser) -> dict[str, float]:
    """Show every node that the API returns, laid out by a worker, then drag the graph."""
    started = time.monotonic()
    drawn = "document.querySelector('main canvas')?.dataset.layout === 'done'"
    browser.go("/graph?all=1", "document.querySelector('main canvas')")
    browser.tab.wait(drawn)
    settled = time.monotonic() - started
    script = browser.script_ms()
    mouse = {"type": "mousePressed", "x": 600, "y": 500, "button": "left", "clickCount": 1}
    browser.tab.send("Input.dispatchMouseEvent", **mouse)
    for step in range(DRAGS):
        moved = {**mouse, "type": "mouseMoved", "x": 600 + 5 * step, "buttons": 1}
        browser.tab.send("Input.dispatchMouseEvent", **moved)
        browser.tab.send(
            "Runtime.evaluate",
            expression="new Promise(r => requestAnimationFrame(r))",
            awaitPromise=True,
        )
    frames = browser.script_ms() - script
    browser.tab.send("Input.dispatchMouseEvent", **{**mouse, "type": "mouseReleased"})
    nodes = browser.tab.run("parseInt(document.querySelector('main canvas').ariaLabel.slice(9))")
    return {
        "graph: nodes": nodes,
        "graph: laid out and drawn, s (wall, by a worker)": settled,
        "graph: script time of the page until then, ms": script,
        "graph: script time for each frame of a drag, ms": frames / DRAGS,
        "graph: heap, MB": browser.metric("JSHeapUsedSize") / 1e6,
    }


if __name__ == "__main__":
    main()

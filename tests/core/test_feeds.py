"""Feed digests: fetched over loopback, saved once, found, and never attributed to the user."""

from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from uuid import UUID

import pytest

from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.answers.ask import ask
from remem.core.answers.reply import AskRequest
from remem.core.documents.forget import forget_document
from remem.core.documents.read import get_document
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.feed_entries import FeedEntry, ParsedFeed
from remem.core.feeds.collect import collect_digests, digest_of, statement_of
from remem.core.feeds.manage import list_feeds, subscribe, unsubscribe
from remem.core.feeds.model import ENTRIES_LIMIT
from remem.core.memories.browse import list_memories
from remem.core.memories.model import Memory, MemoryChoice, MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.tools.site import Page, Site, page, redirect, serving

pytestmark = pytest.mark.anyio


def rss(*titles: str, name: str = "Almanac") -> bytes:
    items = "".join(
        f"<item><guid>{title}</guid><title>{title}</title>"
        f"<link>https://example.org/{n}</link><description>More of {title}.</description></item>"
        for n, title in enumerate(titles)
    )
    return f'<rss version="2.0"><channel><title>{name}</title>{items}</channel></rss>'.encode()


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as running:
        yield running


@pytest.fixture
def fetching_ports(ports: Ports) -> Ports:
    return replace(ports, fetcher=GuardedFetcher(allow_private=("127.0.0.1",)))


async def memories(ports: Ports, scope: Scope) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(), None, 100)).memories


async def test_new_entries_are_saved_once(fetching_ports: Ports, scope: Scope, site: Site) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon", "Glass bridges of Oslo"))
    site.pages["/b"] = page(rss("Zeppelins over Lyon", "Copper roofs", name="Gazette"))
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", "papers")
    await subscribe(fetching_ports, scope, f"{site.url}/b", "research", "papers")
    [digest] = await collect_digests(fetching_ports, scope)
    assert digest.entries == 3
    document = (await get_document(fetching_ports, scope, digest.document_id)).document
    assert document.title.startswith("Research digest, ") and document.tags == [
        "digest",
        "research",
    ]
    assert document.content.count("Zeppelins over Lyon](") == 1
    saved = await memories(fetching_ports, scope)
    assert {memory.title for memory in saved} == {
        "Zeppelins over Lyon",
        "Glass bridges of Oslo",
        "Copper roofs",
    }
    roofs = next(memory for memory in saved if memory.title == "Copper roofs")
    start, end = roofs.evidence["start"], roofs.evidence["end"]
    assert document.content[start:end].startswith("- [Copper roofs](https://example.org/1)")
    assert roofs.speaker == "Feed: Gazette" and roofs.document_id == digest.document_id
    assert await collect_digests(fetching_ports, scope) == []
    site.pages["/a"] = page(rss("Tin whistles", "Zeppelins over Lyon"))
    [more] = await collect_digests(fetching_ports, scope)
    assert more.entries == 1 and more.document_id != digest.document_id
    reply = await ask(
        fetching_ports, scope, AskRequest("Tell me about tin whistles", project="papers")
    )
    assert reply.is_known and reply.quotes[0].document_id == more.document_id


async def test_each_project_and_kind_has_its_own_digest(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("Zeppelins"))
    for kind, project in (("projects", "radar"), ("research", "papers"), ("research", "radar")):
        address = f"{site.url}/a?{kind}"
        site.pages[f"/a?{kind}"] = site.pages["/a"]
        await subscribe(fetching_ports, scope, address, kind, project)  # pyrefly: ignore[bad-argument-type]
    digests = await collect_digests(fetching_ports, scope)
    # An entry comes once per project: in its research digest, which is collected first.
    assert [digest.kind for digest in digests] == ["research", "research"]


async def test_a_failing_feed_reports_why_and_does_not_stop_others(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/good"] = page(rss("Zeppelins"))
    site.pages["/gone"] = page(b"", 410)
    site.pages["/page"] = page(b"<html>hello</html>")
    for path in ("/gone", "/page", "/good"):
        await subscribe(fetching_ports, scope, f"{site.url}{path}", "research", None)
    assert [digest.entries for digest in await collect_digests(fetching_ports, scope)] == [1]
    gone, not_a_feed, good = await list_feeds(fetching_ports, scope, None)
    assert gone.failures == 1 and gone.error and "This is not a feed" in str(not_a_feed.error)
    assert good.error is None and good.title == "Almanac" and good.collected_at


async def test_a_private_address_is_never_dialled(ports: Ports, scope: Scope, site: Site) -> None:
    site.pages["/a"] = page(rss("Zeppelins"))
    # Allowed when the feed was subscribed to, and not any more.
    allowing = replace(ports, fetcher=GuardedFetcher(allow_private=("127.0.0.1",)))
    await subscribe(allowing, scope, f"{site.url}/a", "research", None)
    assert await collect_digests(ports, scope) == []
    assert site.requests == []
    [feed] = await list_feeds(ports, scope, None)
    assert "public internet" in str(feed.error)


async def test_a_feed_updates_no_memory_of_the_user(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    saved = await save_memory(fetching_ports, scope, MemoryDraft("I live in Ghent."))
    site.pages["/a"] = page(rss("I live in Rome now", "I moved to Rome and left Ghent"))
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    await collect_digests(fetching_ports, scope)
    own = next(
        memory for memory in await memories(fetching_ports, scope) if memory.id == saved.memory.id
    )
    assert own.is_current and own.state == "active"


@pytest.mark.parametrize("name", ["user", "The User", "Human", "me", "I", " user "])
async def test_a_feed_is_never_attributed_to_the_user(
    name: str, fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    """Whatever its title and its dates are."""
    texts = ("My favourite colour is blue.", "The office is in Ghent.", "The bridge is of glass.")
    own = [
        (await save_memory(fetching_ports, scope, MemoryDraft(text))).memory.id for text in texts
    ]
    future_date = "<pubDate>Fri, 17 Nov 2090 08:00:00 GMT</pubDate></item>"
    feed = rss("My favourite colour is green.", "The office is in Paris now.", texts[2], name=name)
    site.pages["/a"] = page(feed.replace(b"</item>", future_date.encode()))
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    [digest] = await collect_digests(fetching_ports, scope)
    saved = await memories(fetching_ports, scope)
    assert {memory.id for memory in saved if memory.speaker is None} == set(own)
    entries = [memory for memory in saved if memory.speaker is not None]
    assert len(entries) == digest.entries == 3
    assert all(memory.said_at and memory.said_at <= now() for memory in entries)
    reply = await ask(fetching_ports, scope, AskRequest("What is my favourite colour?"))
    assert reply.is_known and "blue" in str(reply.text) and "green" not in str(reply.text)


@pytest.mark.parametrize("question", ["Where do I live?", "What is my dog called?"])
async def test_a_feed_in_the_first_person_answers_nothing_about_the_user(
    question: str, fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("I live in Paris.", "My dog is called Rex."))
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    await collect_digests(fetching_ports, scope)
    reply = await ask(fetching_ports, scope, AskRequest(question))
    assert not reply.is_known


async def test_a_feed_that_breaks_the_parser_does_not_stop_others(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    class Breaking:
        async def parse(self, data: bytes, url: str) -> ParsedFeed:
            if url.endswith("/bad"):
                raise ZeroDivisionError("the diary of Ada")
            return await fetching_ports.feeds.parse(data, url)

    for path in ("/bad", "/good"):
        site.pages[path] = page(rss("Zeppelins"))
        await subscribe(fetching_ports, scope, f"{site.url}{path}", "research", None)
    digests = await collect_digests(replace(fetching_ports, feeds=Breaking()), scope)
    assert [digest.entries for digest in digests] == [1]
    bad, good = await list_feeds(fetching_ports, scope, None)
    assert (
        bad.failures == 1 and "unexpected error" in str(bad.error) and "Ada" not in str(bad.error)
    )
    assert good.error is None


async def test_deleting_a_digest_deletes_its_memories_for_good(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon"))
    feed, _ = await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    [digest] = await collect_digests(fetching_ports, scope)
    await forget_document(fetching_ports, scope, digest.document_id)
    assert await memories(fetching_ports, scope) == []
    assert await collect_digests(fetching_ports, scope) == []
    await unsubscribe(fetching_ports, scope, feed.id)
    assert await list_feeds(fetching_ports, scope, None) == []


async def test_an_interrupted_collection_is_repeated(
    fetching_ports: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon"))
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    with monkeypatch.context() as patch:
        patch.setattr("remem.core.feeds.feed_store.insert_keys", _crash)
        with pytest.raises(RuntimeError):
            await collect_digests(fetching_ports, scope)
    [digest] = await collect_digests(fetching_ports, scope)
    assert len(await memories(fetching_ports, scope)) == 1 and isinstance(digest.document_id, UUID)


async def _crash(*_: object) -> None:
    raise RuntimeError("killed")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/feed",
        "http://localhost/feed",
        "http://feeds.localhost/",
        "http://[::1]/feed",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest",
        "http://2130706433/",
        "http://0x7f.1/",
        "https://ada:hunter2@example.org/feed",
        "https://example.org/feed\n",
        "https://example.org/a\nb",
        "https://exa mple.org/",
    ],
)
async def test_a_forbidden_address_is_refused_at_once(url: str, ports: Ports, scope: Scope) -> None:
    with pytest.raises(Invalid) as refused:
        await subscribe(ports, scope, url, "research", None)
    assert "hunter2" not in refused.value.message and refused.value.message.startswith("url")
    assert await list_feeds(ports, scope, None) == []


async def test_subscriptions_are_checked(ports: Ports, scope: Scope) -> None:
    url = "https://example.org/feed"
    first, is_new = await subscribe(ports, scope, url, "research", None)
    again, is_new_again = await subscribe(ports, scope, url, "research", None)
    assert first.id == again.id and is_new and not is_new_again
    with pytest.raises(Invalid):
        await subscribe(ports, scope, "ftp://example.org", "research", None)
    with pytest.raises(NotFound):
        await unsubscribe(ports, scope, UUID(int=7))
    for number in range(99):
        await subscribe(ports, scope, f"{url}/{number}", "research", None)
    with pytest.raises(Conflict):
        await subscribe(ports, scope, f"{url}/more", "research", None)


def test_the_offsets_of_the_entries_in_a_digest() -> None:
    entries = [
        FeedEntry("a", "One [x]", "First. Second.", "https://e.org/a"),
        FeedEntry("b", "B", ""),
    ]
    text = digest_of("projects", now().date(), [("Feed", entries)])
    assert text.content[text.parts[0].start : text.parts[0].end] == (
        "- [One (x)](https://e.org/a): First. Second."
    )
    assert text.content[text.parts[1].start : text.parts[1].end] == "- B"
    assert statement_of(entries[0]) == "One [x]. First."
    assert statement_of(entries[1]) == "B"


def versioned(body: bytes, **versions: str) -> Page:
    """A page that answers 304 to a client that has this version."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        known = {
            request.headers.get("If-None-Match"),
            request.headers.get("If-Modified-Since"),
        }
        if known & set(versions.values()):
            page(b"", 304)(request)
        else:
            page(body, **versions)(request)

    return answer


@pytest.mark.parametrize(
    "version", [{"ETag": '"v1"'}, {"Last_Modified": "Mon, 02 Mar 2026 09:00:00 GMT"}]
)
async def test_a_feed_that_has_not_changed_is_not_sent_again(
    fetching_ports: Ports, scope: Scope, site: Site, version: dict[str, str]
) -> None:
    site.pages["/a"] = versioned(rss("Zeppelins over Lyon"), **version)
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    assert len(await collect_digests(fetching_ports, scope)) == 1
    assert await collect_digests(fetching_ports, scope) == []
    sent = {**site.requests[1].headers}
    assert next(iter(version.values())) in sent.values()
    [feed] = await list_feeds(fetching_ports, scope, None)
    assert (feed.error, feed.failures, feed.title) == (None, 0, "Almanac")
    site.pages["/a"] = versioned(rss("Tin whistles"), ETag='"v2"')
    assert [digest.entries for digest in await collect_digests(fetching_ports, scope)] == [1]


async def test_entries_beyond_the_daily_limit_come_the_next_day_without_a_change(
    fetching_ports: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ENTRIES_LIMIT == 100
    monkeypatch.setattr("remem.core.feeds.collect.ENTRIES_LIMIT", 10)
    titles = [f"Zeppelin number {number} over Lyon" for number in range(11)]
    site.pages["/a"] = versioned(rss(*titles), ETag='"v1"')
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    assert [digest.entries for digest in await collect_digests(fetching_ports, scope)] == [10]
    assert [digest.entries for digest in await collect_digests(fetching_ports, scope)] == [1]
    assert await collect_digests(fetching_ports, scope) == []


async def test_an_interrupted_collection_fetches_the_whole_feed_again(
    fetching_ports: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/a"] = versioned(rss("Zeppelins over Lyon"), ETag='"v1"')
    await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
    with monkeypatch.context() as patch:
        patch.setattr("remem.core.feeds.feed_store.insert_keys", _crash)
        with pytest.raises(RuntimeError):
            await collect_digests(fetching_ports, scope)
    assert len(await collect_digests(fetching_ports, scope)) == 1


async def test_another_host_is_not_told_which_version_is_known(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    with serving(Site()) as other:
        site.pages["/a"] = redirect(f"{other.url}/b")
        other.pages["/b"] = versioned(rss("Zeppelins over Lyon"), ETag='"v1"')
        await subscribe(fetching_ports, scope, f"{site.url}/a", "research", None)
        assert len(await collect_digests(fetching_ports, scope)) == 1
        assert await collect_digests(fetching_ports, scope) == []
        assert [request.headers.get("If-None-Match") for request in other.requests] == [None, None]


async def test_the_error_of_a_feed_names_the_feed(
    fetching_ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/gone"] = page(b"", 410)
    await subscribe(fetching_ports, scope, f"{site.url}/gone", "research", None)
    await collect_digests(fetching_ports, scope)
    [feed] = await list_feeds(fetching_ports, scope, None)
    assert feed.error == (
        "There is no feed at this address any more; check the address, and subscribe to the right"
        " one."
    )

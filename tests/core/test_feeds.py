"""Digests of feeds: fetched over loopback, saved once, found, and never in the owner's name."""

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
from remem.core.feeds.collect import collect_digests
from remem.core.feeds.compose import digest_of, statement_of
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
def fetching(ports: Ports) -> Ports:
    return replace(ports, fetcher=GuardedFetcher(allow_private=("127.0.0.1",)))


async def memories(ports: Ports, scope: Scope) -> list[Memory]:
    return (await list_memories(ports, scope, MemoryChoice(), None, 100)).memories


async def test_what_is_new_is_saved_once(fetching: Ports, scope: Scope, site: Site) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon", "Glass bridges of Oslo"))
    site.pages["/b"] = page(rss("Zeppelins over Lyon", "Copper roofs", name="Gazette"))
    await subscribe(fetching, scope, f"{site.url}/a", "research", "papers")
    await subscribe(fetching, scope, f"{site.url}/b", "research", "papers")
    [digest] = await collect_digests(fetching, scope)
    assert digest.entries == 3
    text = (await get_document(fetching, scope, digest.document_id)).document
    assert text.title.startswith("Research digest, ") and text.tags == ["digest", "research"]
    assert text.content.count("Zeppelins over Lyon](") == 1
    kept = await memories(fetching, scope)
    assert {one.title for one in kept} == {
        "Zeppelins over Lyon",
        "Glass bridges of Oslo",
        "Copper roofs",
    }
    one = next(memory for memory in kept if memory.title == "Copper roofs")
    start, end = one.evidence["start"], one.evidence["end"]
    assert text.content[start:end].startswith("- [Copper roofs](https://example.org/1)")
    assert one.speaker == "Feed: Gazette" and one.document_id == digest.document_id
    assert await collect_digests(fetching, scope) == []
    site.pages["/a"] = page(rss("Tin whistles", "Zeppelins over Lyon"))
    [more] = await collect_digests(fetching, scope)
    assert more.entries == 1 and more.document_id != digest.document_id
    body = await ask(fetching, scope, AskRequest("Tell me about tin whistles", project="papers"))
    assert body.is_known and body.quotes[0].document_id == more.document_id


async def test_each_project_and_kind_has_its_own_digest(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("Zeppelins"))
    for kind, project in (("projects", "radar"), ("research", "papers"), ("research", "radar")):
        address = f"{site.url}/a?{kind}"
        site.pages[f"/a?{kind}"] = site.pages["/a"]
        await subscribe(fetching, scope, address, kind, project)  # pyrefly: ignore[bad-argument-type]
    made = await collect_digests(fetching, scope)
    # The same entry comes once a project: in its research, which is collected first.
    assert [one.kind for one in made] == ["research", "research"]


async def test_a_feed_that_fails_says_why_and_stops_nobody(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/good"] = page(rss("Zeppelins"))
    site.pages["/gone"] = page(b"", 410)
    site.pages["/page"] = page(b"<html>hello</html>")
    for path in ("/gone", "/page", "/good"):
        await subscribe(fetching, scope, f"{site.url}{path}", "research", None)
    assert [one.entries for one in await collect_digests(fetching, scope)] == [1]
    gone, not_a_feed, good = await list_feeds(fetching, scope, None)
    assert gone.failures == 1 and gone.error and "This is not a feed" in str(not_a_feed.error)
    assert good.error is None and good.title == "Almanac" and good.collected_at


async def test_a_private_address_is_never_dialled(ports: Ports, scope: Scope, site: Site) -> None:
    site.pages["/a"] = page(rss("Zeppelins"))
    # Allowed when it was subscribed to, and no more.
    allowing = replace(ports, fetcher=GuardedFetcher(allow_private=("127.0.0.1",)))
    await subscribe(allowing, scope, f"{site.url}/a", "research", None)
    assert await collect_digests(ports, scope) == []
    assert site.asked == []
    [feed] = await list_feeds(ports, scope, None)
    assert "public internet" in str(feed.error)


async def test_a_feed_updates_nothing_that_the_owner_said(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    saved = await save_memory(fetching, scope, MemoryDraft("I live in Ghent."))
    site.pages["/a"] = page(rss("I live in Rome now", "I moved to Rome and left Ghent"))
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    await collect_digests(fetching, scope)
    own = next(one for one in await memories(fetching, scope) if one.id == saved.memory.id)
    assert own.is_current and own.state == "active"


@pytest.mark.parametrize("name", ["user", "The User", "Human", "me", "I", " user "])
async def test_a_feed_speaks_for_nobody_else(
    name: str, fetching: Ports, scope: Scope, site: Site
) -> None:
    """Whatever its title is, and whatever day it claims."""
    texts = ("My favourite colour is blue.", "The office is in Ghent.", "The bridge is of glass.")
    own = [(await save_memory(fetching, scope, MemoryDraft(text))).memory.id for text in texts]
    late = "<pubDate>Fri, 17 Nov 2090 08:00:00 GMT</pubDate></item>"
    said = rss("My favourite colour is green.", "The office is in Paris now.", texts[2], name=name)
    site.pages["/a"] = page(said.replace(b"</item>", late.encode()))
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    [digest] = await collect_digests(fetching, scope)
    kept = await memories(fetching, scope)
    assert {one.id for one in kept if one.speaker is None} == set(own)
    entries = [one for one in kept if one.speaker is not None]
    assert len(entries) == digest.entries == 3
    assert all(one.said_at and one.said_at <= now() for one in entries)
    told = await ask(fetching, scope, AskRequest("What is my favourite colour?"))
    assert told.is_known and "blue" in str(told.text) and "green" not in str(told.text)


@pytest.mark.parametrize("question", ["Where do I live?", "What is my dog called?"])
async def test_what_a_feed_says_of_itself_answers_nothing_about_the_user(
    question: str, fetching: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("I live in Paris.", "My dog is called Rex."))
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    await collect_digests(fetching, scope)
    told = await ask(fetching, scope, AskRequest(question))
    assert not told.is_known


async def test_a_feed_that_breaks_the_parser_stops_nobody(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    class Breaking:
        async def parse(self, data: bytes, url: str) -> ParsedFeed:
            if url.endswith("/bad"):
                raise ZeroDivisionError("the diary of Ada")
            return await fetching.feeds.parse(data, url)

    for path in ("/bad", "/good"):
        site.pages[path] = page(rss("Zeppelins"))
        await subscribe(fetching, scope, f"{site.url}{path}", "research", None)
    made = await collect_digests(replace(fetching, feeds=Breaking()), scope)
    assert [one.entries for one in made] == [1]
    bad, good = await list_feeds(fetching, scope, None)
    assert (
        bad.failures == 1 and "unexpected error" in str(bad.error) and "Ada" not in str(bad.error)
    )
    assert good.error is None


async def test_a_deleted_digest_takes_its_memories_along_and_stays_away(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon"))
    feed, _ = await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    [digest] = await collect_digests(fetching, scope)
    await forget_document(fetching, scope, digest.document_id)
    assert await memories(fetching, scope) == []
    assert await collect_digests(fetching, scope) == []
    await unsubscribe(fetching, scope, feed.id)
    assert await list_feeds(fetching, scope, None) == []


async def test_a_collection_that_was_cut_short_is_made_again(
    fetching: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/a"] = page(rss("Zeppelins over Lyon"))
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    with monkeypatch.context() as patch:
        patch.setattr("remem.core.feeds.store.insert_keys", _killed)
        with pytest.raises(RuntimeError):
            await collect_digests(fetching, scope)
    [digest] = await collect_digests(fetching, scope)
    assert len(await memories(fetching, scope)) == 1 and isinstance(digest.document_id, UUID)


async def _killed(*_: object) -> None:
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
async def test_an_address_that_is_never_visited_is_refused_at_once(
    url: str, ports: Ports, scope: Scope
) -> None:
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


def test_entries_stand_where_the_digest_says() -> None:
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
    """Answers 304 to who knows this version already."""

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
    fetching: Ports, scope: Scope, site: Site, version: dict[str, str]
) -> None:
    site.pages["/a"] = versioned(rss("Zeppelins over Lyon"), **version)
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    assert len(await collect_digests(fetching, scope)) == 1
    assert await collect_digests(fetching, scope) == []
    sent = {**site.asked[1].headers}
    assert next(iter(version.values())) in sent.values()
    [feed] = await list_feeds(fetching, scope, None)
    assert (feed.error, feed.failures, feed.title) == (None, 0, "Almanac")
    site.pages["/a"] = versioned(rss("Tin whistles"), ETag='"v2"')
    assert [one.entries for one in await collect_digests(fetching, scope)] == [1]


async def test_what_was_too_much_for_a_day_comes_the_next_although_nothing_changed(
    fetching: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ENTRIES_LIMIT == 100
    monkeypatch.setattr("remem.core.feeds.collect.ENTRIES_LIMIT", 10)
    titles = [f"Zeppelin number {number} over Lyon" for number in range(11)]
    site.pages["/a"] = versioned(rss(*titles), ETag='"v1"')
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    assert [one.entries for one in await collect_digests(fetching, scope)] == [10]
    assert [one.entries for one in await collect_digests(fetching, scope)] == [1]
    assert await collect_digests(fetching, scope) == []


async def test_a_collection_that_was_cut_short_asks_for_everything_again(
    fetching: Ports, scope: Scope, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/a"] = versioned(rss("Zeppelins over Lyon"), ETag='"v1"')
    await subscribe(fetching, scope, f"{site.url}/a", "research", None)
    with monkeypatch.context() as patch:
        patch.setattr("remem.core.feeds.store.insert_keys", _killed)
        with pytest.raises(RuntimeError):
            await collect_digests(fetching, scope)
    assert len(await collect_digests(fetching, scope)) == 1


async def test_another_host_is_not_told_which_version_is_known(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    with serving(Site()) as other:
        site.pages["/a"] = redirect(f"{other.url}/b")
        other.pages["/b"] = versioned(rss("Zeppelins over Lyon"), ETag='"v1"')
        await subscribe(fetching, scope, f"{site.url}/a", "research", None)
        assert len(await collect_digests(fetching, scope)) == 1
        assert await collect_digests(fetching, scope) == []
        assert [one.headers.get("If-None-Match") for one in other.asked] == [None, None]


async def test_the_problem_of_a_feed_is_told_in_words_of_feeds(
    fetching: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/gone"] = page(b"", 410)
    await subscribe(fetching, scope, f"{site.url}/gone", "research", None)
    await collect_digests(fetching, scope)
    [feed] = await list_feeds(fetching, scope, None)
    assert feed.error == (
        "There is no feed at this address any more; check the address, and subscribe to the right"
        " one."
    )

"""The wire format of every vendor with every failure: an answer, or a clear error and a pause."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

from remem.adapters import embedding, llm
from remem.adapters.circuit import FAILURE_LIMIT as FAILURES_TO_PAUSE
from remem.adapters.llm.budget import PostgresTokenBudget
from remem.adapters.retries import WAITS_S
from remem.adapters.table import load
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.providers import TokenUse, Unlimited
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.settings import Settings
from tests.tools.llm import completion, message, with_llm
from tests.tools.site import Page, Site, hang_up, page, serving

pytestmark = pytest.mark.anyio

KEY = "key-that-must-stay-secret"


@dataclass(frozen=True)
class Colour:
    answer_tokens: ClassVar[int] = 77

    name: str


@dataclass
class RecordingBudget(Unlimited):
    used: TokenUse | None = None

    async def spend(self, use: TokenUse) -> None:
        self.used = use


def chat(answer: Any) -> Page:
    """A reply of OpenAI, of the compatible endpoint of Gemini, and of Ollama."""
    reply_message = {"role": "assistant", "content": json.dumps(answer)}
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "tiny",
        "choices": [{"index": 0, "message": reply_message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 5, "total_tokens": 45},
    }
    return page(json.dumps(body).encode(), Content_Type="application/json")


VENDORS: dict[str, tuple[str, Callable[[Any], Page]]] = {
    "openai": ("/v1/chat/completions", chat),
    "gemini": ("/v1beta/openai/chat/completions", chat),
    "ollama": ("/v1/chat/completions", chat),
    "anthropic": ("/v1/messages", lambda answer: message(answer, "Colour")),
}
FAILURES: dict[str, Callable[[Site], Page]] = {
    "hang": lambda site: lambda _: site.closing.wait(30) and None,
    "429 with a long Retry-After": lambda _: page(b"", 429, Retry_After="3600"),
    "500": lambda _: page(b"", 500),
    "HTML with 200": lambda _: page(b"<html>Back soon.</html>", Content_Type="text/html"),
    "JSON that is cut off": lambda _: page(b'{"choi', Content_Type="application/json"),
    "hung up": lambda _: hang_up,
    "refused key": lambda _: page(b"", 401),
}


def test_every_language_model_of_the_table_is_tested() -> None:
    assert set(VENDORS) == set(llm.ADAPTERS)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(Site()) as site:
        yield site


@asynccontextmanager
async def open_llm(site: Site, vendor: str, **options: Any) -> AsyncIterator[Any]:
    path = VENDORS[vendor][0]
    base = path.removesuffix("/chat/completions").removesuffix("/v1/messages")
    settings: dict[str, Any] = {"waits_s": (0.0,) * 3, "timeout_s": 5.0, **options}
    model = load(llm.ADAPTERS[vendor].target)(f"{site.url}{base}", KEY, "tiny", **settings)
    try:
        yield model
    finally:
        await model.close()


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_question_is_limited_and_its_tokens_are_counted(site: Site, vendor: str) -> None:
    path, good = VENDORS[vendor]
    site.pages[path] = good({"name": "red"})
    budget = RecordingBudget()
    async with open_llm(site, vendor, budget=budget) as model:
        assert await model.ask("Which colour?", Colour) == Colour("red")
    body = json.loads(site.requests[-1].body)
    assert (body["max_tokens"], body["temperature"]) == (77, 0)
    assert budget.used and budget.used.model == "tiny"
    assert budget.used.input_tokens + budget.used.output_tokens > 1


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("failure", FAILURES)
async def test_a_failing_provider_is_paused_and_reported_without_secrets(
    site: Site, vendor: str, failure: str
) -> None:
    path, _ = VENDORS[vendor]
    site.pages[path] = FAILURES[failure](site)
    async with open_llm(site, vendor, timeout_s=0.2) as model:
        for _ in range(FAILURES_TO_PAUSE):
            with pytest.raises(Unavailable) as raised:
                await model.ask("Which colour?", Colour)
            assert KEY not in str(raised.value) and "colour" not in str(raised.value)
        assert model.state().state == "paused"
        request_count = len(site.requests)
        with pytest.raises(Unavailable, match="paused") as raised:
            await model.ask("Which colour?", Colour)
        assert (len(site.requests), raised.value.code) == (request_count, "llm_paused")


async def test_language_models_are_retried_after_zero_one_and_two_seconds(
    site: Site,
) -> None:
    assert WAITS_S == (0.0, 1.0, 2.0)
    waits_s: list[float] = []

    def record(details: RetryDetails) -> None:
        waits_s.append(details.wait_for)

    set_on_retry_hooks([record])
    try:
        site.pages["/v1/chat/completions"] = page(b"", 503)
        async with open_llm(site, "openai", waits_s=(0.0, 0.001, 0.002)) as model:
            with pytest.raises(Unavailable):
                await model.ask("Which colour?", Colour)
    finally:
        set_on_retry_hooks(None)
    assert waits_s == pytest.approx([0.0, 0.001, 0.002])
    assert len(site.requests) == 4


# Defaults


@pytest.mark.parametrize(
    ("table", "settings", "expected"),
    [
        (llm, {"llm_provider": "openai"}, ("https://api.openai.com/v1", "gpt-4o-mini")),
        (llm, {"llm_provider": "anthropic"}, ("https://api.anthropic.com", "claude-3-haiku")),
        (llm, {"llm_provider": "gemini"}, ("https://generativelanguage.", "gemini-2.5-flash")),
        (embedding, {"embedding_provider": "openai"}, ("https://api", "text-embedding-3-small")),
        (embedding, {"embedding_provider": "ollama"}, ("http://127.0.0.1:", "nomic-embed-text")),
    ],
)
def test_a_provider_needs_no_more_than_its_name(
    table: Any, settings: dict[str, str], expected: tuple[str, str]
) -> None:
    [name] = settings.values()
    arguments = table.ADAPTERS[name].arguments(Settings(**settings))
    assert arguments["base_url"].startswith(expected[0]) and arguments["model"].startswith(
        expected[1]
    )


def test_another_model_of_a_vendor_uses_the_key_of_the_vendor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "g")
    settings = Settings(llm_provider="gemini", llm_model="gemini-3-pro")
    assert llm.ADAPTERS["gemini"].arguments(settings)["api_key"] == "g"
    elsewhere = Settings(llm_provider="gemini", llm_url="https://proxy.example.org/v1")
    assert llm.ADAPTERS["gemini"].arguments(elsewhere)["api_key"] is None


# The budget


@pytest.fixture
async def empty_token_use(ports: Ports) -> AsyncIterator[None]:
    async with ports.db.unbound() as connection:
        await connection.execute("DELETE FROM token_use")
    yield
    async with ports.db.unbound() as connection:
        await connection.execute("DELETE FROM token_use")


@pytest.mark.usefixtures("empty_token_use")
async def test_a_spent_budget_stops_calls_in_every_process_and_after_a_restart(
    ports: Ports, scope: Scope, site: Site
) -> None:
    site.pages["/v1/chat/completions"] = chat({"queries": ["ferry times"]})
    now = 0.0
    first, second = (PostgresTokenBudget(ports.db, 60, clock=lambda: now) for _ in range(2))
    await second.refresh()
    async with open_llm(site, "openai", budget=first) as model:
        ports_with_llm = with_llm(ports, model)
        for word in ("some", "none"):
            answer = await recall(ports_with_llm, scope, Query(f"ferry {word}", variants=True))
            assert answer.model_unused is None
        assert (len(site.requests), model.state().state) == (2, "budget_spent")
        answer = await recall(ports_with_llm, scope, Query("ferry", variants=True))
        hits = await find(ports_with_llm, scope, Query("ferry", variants=True))
        assert (answer.model_unused, hits.model_unused) == ("llm_budget_spent",) * 2
    assert len(site.requests) == 2
    now += 60
    with pytest.raises(Unavailable, match="budget of 60 tokens") as raised:
        await second.check()
    assert raised.value.code == "llm_budget_spent"
    restarted = PostgresTokenBudget(ports.db, 60)
    await restarted.refresh()
    assert (restarted.used or 0) >= 1
    async with ports.db.unbound() as connection:
        [row] = await connection.fetch("SELECT * FROM token_use")
    assert (row["calls"], row["input_tokens"], row["output_tokens"]) == (2, 80, 10)


@pytest.mark.usefixtures("empty_token_use")
async def test_tokens_of_earlier_months_are_not_counted(ports: Ports) -> None:
    async with ports.db.unbound() as connection:
        await connection.execute(
            "INSERT INTO token_use (month, provider, model, input_tokens)"
            " VALUES ('2020-01-01', 'llm', 'tiny', 1000000)"
        )
    budget = PostgresTokenBudget(ports.db, 10)
    await budget.check()
    assert budget.used == 0


async def test_variants_of_a_query_are_searched_too(ports: Ports, scope: Scope, site: Site) -> None:
    site.pages["/v1/chat/completions"] = completion({"queries": ["boat timetable"]})
    async with open_llm(site, "openai") as model:
        hits = await find(with_llm(ports, model), scope, Query("ferry", variants=True))
    assert (hits.hits, hits.model_unused, len(site.requests)) == ([], None, 1)
    assert (await find(ports, scope, Query("ferry", variants=True))).model_unused == "no_model"

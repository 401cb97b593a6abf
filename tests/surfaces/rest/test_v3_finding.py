"""Ranking: by speaker, by time, by exact text, and in any language."""

import json
import math
from typing import Any

import pytest

from remem.core.chunking.split import estimate_tokens
from remem.core.ports import Ports
from remem.core.search.policy import POLICY
from tests.conftest import Person
from tests.surfaces.rest.crowds import multiply
from tests.surfaces.rest.things import CAT, TAX, paragraphs, titles

pytestmark = pytest.mark.anyio

TALK = "\n".join(
    [
        "Ann: I keep bees on the roof of my house.",
        "Bob: I keep a parrot in my kitchen.",
        "Ann: The parrot of Bob swears all day.",
        "Bob: The bees of Ann make good honey.",
    ]
)


def chunks(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All chunks of the results, best first."""
    flat = [chunk for result in results for chunk in result["chunks"]]
    return sorted(flat, key=lambda chunk: -chunk["score"])


def save_turn(user: Person, speaker: str, words: str, day: str = "", session: str = "s1") -> str:
    body = {"speaker": speaker, "session_id": session} | ({"timestamp": day} if day else {})
    return user.save(words, metadata=body)["id"]


def test_the_speaker_named_in_the_query_ranks_first(user: Person) -> None:
    user.save(TALK)
    first = chunks(user.recall("What does Ann keep?", explain=True))[0]
    assert first["content"] == "Ann: I keep bees on the roof of my house."
    assert first["speaker"] == "Ann"
    assert first["explain"]["evidence"]["speaker"] > 0
    first = chunks(user.recall("What is Bob's pet?"))[0]
    assert first["speaker"] == "Bob"


def test_i_means_the_user_and_you_the_assistant(user: Person) -> None:
    talk = {
        "messages": [
            {"role": "user", "content": "A good hotel in Lisbon: the blue one by the river."},
            {"role": "assistant", "content": "A good hotel in Lisbon: the red one on the hill."},
        ]
    }
    reply = user.http.post("/v3/memory", json={"content": json.dumps(talk), "content_type": "json"})
    assert reply.status_code == 201, reply.text
    queries = {
        "user": "Which hotel in Lisbon did I like?",
        "assistant": "the hotel you recommended",
    }
    for role, query in queries.items():
        assert chunks(user.recall(query))[0]["speaker"] == role


def test_relative_times_in_a_query_count_from_asked_at(user: Person) -> None:
    save_turn(user, "Ann", "I went to the concert in the park.", "2023-05-20", "may")
    save_turn(user, "Ann", "I went to the concert in the hall.", "2023-09-12", "september")
    options = {"asked_at": "2023-09-18T12:00:00Z"}
    for query, body in (
        ("Which concert did Ann visit last week?", "hall"),
        ("Which concert did Ann visit in May 2023?", "park"),
        ("Which concert did Ann visit four months ago?", "park"),
        ("Which concert was on 2023-09-12?", "hall"),
    ):
        first = chunks(user.recall(query, explain=True, **options))[0]
        assert body in first["content"], query
        assert first["explain"]["evidence"]["in_time"] > 0
    later = {"asked_at": "2023-05-27T12:00:00Z"}
    assert "park" in chunks(user.recall("Which concert last week?", **later))[0]["content"]


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T23:00:00+14:00"]
)
@pytest.mark.parametrize("query", ["last week", "on 9999-12-31", "on 0001-01-01", "last ſunday"])
def test_the_ends_of_the_calendar_are_not_an_error(user: Person, moment: str, query: str) -> None:
    user.save(CAT)
    reply = user.post("/v3/recall", {"query": f"the cat {query}", "asked_at": moment})
    assert reply.status_code in (200, 400, 422), reply.text
    assert reply.status_code == 200 or "+14:00" in moment


@pytest.mark.parametrize(
    ("query", "wanted", "misses"),
    [
        (
            'who said "the harbour light"',
            "Near the end he wrote: the\nharbour light went out.",
            ["The light of the harbour, the harbour lighthouse keeper and light.",
             "Light the harbour, harbour the light, the harbour lights."],
        ),
        (
            "who reviewed PR #4?",
            "Ann took PR #4 and it was merged.",
            ["Ann reviewed PR #42 and PR #43, who reviewed it?", "PR 4 reviewed, PR #14 reviewed."],
        ),
        (
            "where is parse_date used",
            "The importer calls parse_date once.",
            ["parse the date, used to parse a date, date used", "parse_dates is used, where used"],
        ),
        (
            "src/app/main.py",
            "It begins in src/app/main.py.",
            ["src app main py, main app src py py", "It begins in src/app/main.pyc, src app."],
        ),
        (
            "what does ERR-1234 mean",
            "ERR-1234: the disk is full.",
            ["ERR-12345 does mean ERR-12346, what does it mean", "err 1234 err 1234 mean mean"],
        ),
    ],
)  # fmt: skip
def test_exact_text_ranks_first(user: Person, query: str, wanted: str, misses: list[str]) -> None:
    for number, content in enumerate([misses[0], wanted, misses[1]]):
        user.save(content, title=f"Note {number}")
    first = chunks(user.recall(query, explain=True))[0]
    assert first["content"] == wanted
    assert first["explain"]["evidence"]["exact"] == POLICY.evidence["exact"]
    others = chunks(user.recall(query, explain=True))[1:]
    assert all("exact" not in chunk["explain"]["evidence"] for chunk in others)


@pytest.mark.parametrize("query", ["harbuor", "harbo", "horbour"])
def test_a_typo_or_prefix_matches_only_when_nothing_else_does(user: Person, query: str) -> None:
    user.save("The harbour is closed.")
    user.save(CAT)
    for mode in ("fast", "balanced", "deep"):
        assert titles(user.recall(query, mode=mode))[0] == "The harbour is closed."
    user.save("They named the boat Harbuor, Harbo and Horbour.")
    assert len(user.recall(query, mode="fast")) == 1, "now the word itself exists"


def test_one_misspelt_word_among_others_is_corrected(user: Person) -> None:
    user.save("The harbour is closed when the wind is strong.")
    user.save("The museum is closed when the week begins.")
    for mode in ("fast", "balanced", "deep"):
        found_titles = titles(user.recall("when is the harbuor closed", mode=mode))
        first = found_titles[:1] if mode == "fast" else found_titles[:2]
        assert "The harbour is closed when the wind is strong." in first
    user.save("When the Harbuor came, the gate was closed.")
    assert titles(user.recall("when is the harbuor closed", mode="fast"))[0].startswith("When")


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [
        ("harbuor", "harbours"),
        ("Which harbuors are closed?", "Which harbours are closed?"),
        ("the Lisbn ferry", "the Lisbon ferry"),
        ("harbours", None),
        ("4712", None),
        ("", None),
        ("xylophone quartet", None),
    ],
)
def test_a_query_without_results_gets_a_suggestion(
    user: Person, query: str, suggestion: str | None
) -> None:
    user.save("All harbours are closed: take the Lisbon ferry at 4711.")
    body = {"query": query, "filters": {"tags": ["boat"]}}
    answer = user.post("/v3/recall", body).json()
    assert answer["results"] == []
    assert answer["suggestion"] == suggestion


def test_a_suggestion_uses_no_words_of_other_projects_or_users(
    user: Person, stranger: Person
) -> None:
    for slug in ("secret", "garden"):
        user.post("/v3/projects", {"name": slug, "slug": slug})
    user.save("The zanzibar account is empty.", project="secret")
    body = {"query": "zanzibra", "filters": {"tags": ["boat"]}}
    in_garden = {**body, "project": "garden"}
    assert user.post("/v3/recall", body).json()["suggestion"] == "zanzibar"
    assert user.post("/v3/recall", in_garden).json()["suggestion"] is None
    assert stranger.post("/v3/recall", body).json()["suggestion"] is None


def test_a_number_is_not_corrected_to_another(user: Person) -> None:
    user.save("The door code is 4711.")
    assert user.recall("4712", mode="fast") == []


def test_a_project_with_its_children(user: Person) -> None:
    for path in ("work", "work.notes", "work.notes.old", "workshop", "home"):
        user.post("/v3/projects", {"name": path, "slug": path})
        user.save(f"The key of {path}.", project=path)
    results = user.recall("key", project="work.*")
    assert set(titles(results)) == {
        f"The key of {path}." for path in ("work", "work.notes", "work.notes.old")
    }
    assert len(user.recall("key", project="work.notes.*")) == 2
    assert len(user.recall("", project="work.*")) == 3
    assert len(user.recall("key", project="work")) == 1


def test_filter_by_metadata(user: Person) -> None:
    user.save("The red kite.", metadata={"box": {"shelf": 3, "row": 1}, "seen": True})
    user.save("The blue kite.", metadata={"box": {"shelf": 4}})
    for query in ("kite", ""):
        for wanted in ({"seen": True}, {"box": {"shelf": 3}}, {"box": {"shelf": 3}, "seen": True}):
            results = user.recall(query, filters={"metadata": wanted})
            assert titles(results) == ["The red kite."]
        assert user.recall(query, filters={"metadata": {"box": {"shelf": 5}}}) == []
        assert len(user.recall(query, filters={"metadata": {}})) == 2


async def test_a_filter_that_matches_three_of_a_thousand_returns_those_three(
    user: Person, ports: Ports
) -> None:
    user.save("The ship is in the harbour, the harbour of the ship.")
    await multiply(ports, user.tenant_id, 1_000)
    wanted = ["A ship far away.", "Of sailing, nothing else.", "Cake is good."]
    for content in wanted:
        user.save(content, tags=["few"], metadata={"box": 7})
    for query in ("ship in the harbour", "vessels at the quay", ""):
        for filters in ({"tags": ["few"]}, {"metadata": {"box": 7}}):
            results = user.recall(query, filters=filters, weak=True)
            assert sorted(titles(results)) == sorted(wanted), query
    assert len(user.recall("ship", limit=100)) == 100


def test_modes(user: Person) -> None:
    user.save(CAT)
    user.save(TAX)
    assert user.recall("feline pets indoors", mode="fast") == []
    for mode in ("balanced", "deep"):
        assert titles(user.recall("feline pets indoors", mode=mode))[0] == CAT
    fast = chunks(user.recall("the cat", mode="fast", explain=True))
    assert [chunk["content"] for chunk in fast] == [CAT]
    assert fast[0]["explain"]["vector"] == 0
    refused = user.post("/v3/recall", {"query": "x", "mode": "slow"})
    assert refused.status_code == 400
    assert "mode" in refused.text


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
def test_the_score_is_the_sum_of_its_parts(user: Person, mode: str) -> None:
    user.save(TALK)
    for content in (CAT, TAX, "The parrot and the bees of Ann, written down.", paragraphs(3)):
        user.save(content)
    query = 'When did Ann say "the parrot" last week?'
    ranked = chunks(user.recall(query, mode=mode, explain=True, limit=100))
    best = max(_total(chunk) for chunk in ranked if chunk["explain"]["text"])
    for chunk in ranked:
        parts = chunk["explain"]
        score = 0.6 * parts["vector"] + 0.4 * parts["text"] + parts["recency"]
        assert chunk["score"] == pytest.approx(score, abs=1e-6)
        assert 0 <= parts["text"] <= 1
        if parts["text"] and mode == "fast":
            assert parts["text"] == pytest.approx(math.exp(0.3 * (_total(chunk) - best)), abs=1e-3)


def _total(chunk: dict[str, Any]) -> float:
    return sum(chunk["explain"]["evidence"].values())


def packed_context(user: Person, query: str, max_tokens: int) -> dict[str, Any]:
    reply = user.post("/v3/recall", {"query": query, "max_tokens": max_tokens, "limit": 100})
    assert reply.status_code == 200, reply.text
    return reply.json()["context"]


def test_a_context_is_limited_by_tokens(user: Person) -> None:
    user.save(paragraphs(12), title="Engines")
    user.save("An engine, briefly.", title="Brief")
    for max_tokens in (50, 200, 1_000, 100_000):
        packed = packed_context(user, "the engine of paragraph 7", max_tokens)
        assert packed["tokens"] == estimate_tokens(packed["text"]) <= max_tokens
        assert "An engine, briefly." in packed["text"]
        assert (packed["left_out"] == 0) is (max_tokens == 100_000)


def test_a_context_is_returned_on_request_and_may_be_empty(user: Person) -> None:
    assert user.post("/v3/recall", {"query": "x"}).json()["context"] is None
    assert packed_context(user, "x", 50) == {"text": "", "tokens": 0, "left_out": 0}
    for wrong in (49, 0, -1, 100_001, "many"):
        refused = user.post("/v3/recall", {"query": "x", "max_tokens": wrong})
        assert refused.status_code == 400
        assert "max_tokens" in refused.text


def test_single_turns_have_speaker_and_time_and_support_each_other(user: Person) -> None:
    save_turn(user, "Ann", "What is your favourite harbour?", "2023-05-08T10:00:00Z")
    answer = save_turn(user, "Bob", "The one of Porto, by far.", "2023-05-08T10:01:00Z")
    unrelated = save_turn(
        user, "Bob", "The one of Porto, by far away.", "2023-05-08T10:01:00Z", "s2"
    )
    results = user.recall("favourite harbour of Bob", explain=True)
    chunk_of = {result["document_id"]: result["chunks"][0] for result in results}
    assert chunk_of[answer]["speaker"] == "Bob"
    assert chunk_of[answer]["said_at"].startswith("2023-05-08T10:01:00")
    assert chunk_of[answer]["explain"]["evidence"]["answers"] > 0
    order = [result["document_id"] for result in results]
    assert order.index(answer) < order.index(unrelated)
    assert "answers" not in chunk_of[unrelated]["explain"]["evidence"]


@pytest.mark.parametrize(
    "body",
    [
        {"speaker": "Ann", "timestamp": 10**300},
        {"speaker": "Ann", "timestamp": 2023},
        {"speaker": ["Ann"], "timestamp": {"at": 1}, "session_id": ["s"]},
        {"speaker": "A" * 5_000, "timestamp": "soon", "session_id": True},
    ],
)
def test_meaningless_metadata_is_accepted(user: Person, body: dict[str, Any]) -> None:
    user.save("The harbour is closed.", metadata=body)
    assert chunks(user.recall("harbour"))[0]["said_at"] is None


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("东京塔在哪里", "我去年参观了东京塔，很高。"),
        ("港", "神戸の港に船が着いた。"),
        ("カレーのレシピ", "祖母のカレーの作り方を書いておく。"),
        ("ร้านกาแฟ", "ร้านกาแฟใกล้บ้านเปิดแปดโมงเช้า"),
        ("cafe zurich", "Das Café in Zürich schließt um sechs."),
        ("Straße", "Die STRASSE ist gesperrt."),
        ("Ångström", "The angstrom is a unit of length."),
    ],
)
def test_other_scripts_and_accents(user: Person, query: str, content: str) -> None:
    user.save("北京的天气很好。昨天下雨。")
    user.save("อากาศวันนี้ดีมาก")
    user.save("Eine ganz andere Sache, encore une autre.")
    saved = user.save(content)
    for mode in ("fast", "balanced"):
        results = user.recall(query, mode=mode, explain=True)
        assert results[0]["document_id"] == saved["id"], mode
        assert results[0]["chunks"][0]["explain"]["text"] == 1


def test_a_speaker_of_any_script(user: Person) -> None:
    user.save(
        "Zoë: Je garde la clé.\nЙван: Ключ у меня.\nZoë: Non.\nЙван: Да.\nWeiß: Ja.\nWeiß: So."
    )
    for query, speaker in (
        ("Where is Zoë's clé?", "Zoë"),
        ("Ключ, Йван?", "Йван"),
        ("Weiß, ja?", "Weiß"),
    ):
        results = chunks(user.recall(query, explain=True))
        assert results[0]["speaker"] == speaker
        assert results[0]["explain"]["evidence"]["speaker"] > 0

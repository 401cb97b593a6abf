"""What comes first: by who said it, when, to the letter, and in any language."""

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
    """Every chunk that answered, best first."""
    found = [chunk for one in results for chunk in one["chunks"]]
    return sorted(found, key=lambda chunk: -chunk["score"])


def turn(keeper: Person, speaker: str, words: str, day: str = "", session: str = "s1") -> str:
    body = {"speaker": speaker, "session_id": session} | ({"timestamp": day} if day else {})
    return keeper.save(words, metadata=body)["id"]


def test_the_speaker_who_is_asked_for_wins(keeper: Person) -> None:
    keeper.save(TALK)
    first = chunks(keeper.recall("What does Ann keep?", explain=True))[0]
    assert first["content"] == "Ann: I keep bees on the roof of my house."
    assert first["speaker"] == "Ann"
    assert first["explain"]["evidence"]["speaker"] > 0
    first = chunks(keeper.recall("What is Bob's pet?"))[0]
    assert first["speaker"] == "Bob"


def test_i_am_the_user_and_you_the_assistant(keeper: Person) -> None:
    talk = {
        "messages": [
            {"role": "user", "content": "A good hotel in Lisbon: the blue one by the river."},
            {"role": "assistant", "content": "A good hotel in Lisbon: the red one on the hill."},
        ]
    }
    reply = keeper.http.post(
        "/v3/memory", json={"content": json.dumps(talk), "content_type": "json"}
    )
    assert reply.status_code == 201, reply.text
    asked = {"user": "Which hotel in Lisbon did I like?", "assistant": "the hotel you recommended"}
    for role, query in asked.items():
        assert chunks(keeper.recall(query))[0]["speaker"] == role


def test_the_time_a_query_names_is_counted_from_when_it_is_asked(keeper: Person) -> None:
    turn(keeper, "Ann", "I went to the concert in the park.", "2023-05-20", "may")
    turn(keeper, "Ann", "I went to the concert in the hall.", "2023-09-12", "september")
    asked = {"asked_at": "2023-09-18T12:00:00Z"}
    for query, body in (
        ("Which concert did Ann visit last week?", "hall"),
        ("Which concert did Ann visit in May 2023?", "park"),
        ("Which concert did Ann visit four months ago?", "park"),
        ("Which concert was on 2023-09-12?", "hall"),
    ):
        first = chunks(keeper.recall(query, explain=True, **asked))[0]
        assert body in first["content"], query
        assert first["explain"]["evidence"]["in_time"] > 0
    later = {"asked_at": "2023-05-27T12:00:00Z"}
    assert "park" in chunks(keeper.recall("Which concert last week?", **later))[0]["content"]


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T23:00:00+14:00"]
)
@pytest.mark.parametrize("query", ["last week", "on 9999-12-31", "on 0001-01-01", "last ſunday"])
def test_the_ends_of_the_calendar_are_no_error(keeper: Person, moment: str, query: str) -> None:
    keeper.save(CAT)
    reply = keeper.post("/v3/recall", {"query": f"the cat {query}", "asked_at": moment})
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
def test_to_the_letter(keeper: Person, query: str, wanted: str, misses: list[str]) -> None:
    for number, content in enumerate([misses[0], wanted, misses[1]]):
        keeper.save(content, title=f"Note {number}")
    first = chunks(keeper.recall(query, explain=True))[0]
    assert first["content"] == wanted
    assert first["explain"]["evidence"]["exact"] == POLICY.evidence["exact"]
    others = chunks(keeper.recall(query, explain=True))[1:]
    assert all("exact" not in one["explain"]["evidence"] for one in others)


@pytest.mark.parametrize("query", ["harbuor", "harbo", "horbour"])
def test_a_slip_or_a_beginning_is_found_when_nothing_else_is(keeper: Person, query: str) -> None:
    keeper.save("The harbour is closed.")
    keeper.save(CAT)
    for mode in ("fast", "balanced", "deep"):
        assert titles(keeper.recall(query, mode=mode))[0] == "The harbour is closed."
    keeper.save("They named the boat Harbuor, Harbo and Horbour.")
    assert len(keeper.recall(query, mode="fast")) == 1, "now there is such a word"


def test_one_misspelt_word_among_others_is_mended(keeper: Person) -> None:
    keeper.save("The harbour is closed when the wind is strong.")
    keeper.save("The museum is closed when the week begins.")
    for mode in ("fast", "balanced", "deep"):
        found = titles(keeper.recall("when is the harbuor closed", mode=mode))
        assert found[0] == "The harbour is closed when the wind is strong."
    keeper.save("When the Harbuor came, the gate was closed.")
    assert titles(keeper.recall("when is the harbuor closed", mode="fast"))[0].startswith("When")


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
def test_a_query_that_finds_nothing_is_answered_with_what_was_meant(
    keeper: Person, query: str, suggestion: str | None
) -> None:
    keeper.save("All harbours are closed: take the Lisbon ferry at 4711.")
    narrow = {"query": query, "filters": {"tags": ["boat"]}}
    answer = keeper.post("/v3/recall", narrow).json()
    assert answer["results"] == []
    assert answer["suggestion"] == suggestion


def test_a_suggestion_names_nothing_of_another_project_or_person(
    keeper: Person, stranger: Person
) -> None:
    for slug in ("secret", "garden"):
        keeper.post("/v3/projects", {"name": slug, "slug": slug})
    keeper.save("The zanzibar account is empty.", project="secret")
    asked = {"query": "zanzibra", "filters": {"tags": ["boat"]}}
    here = {**asked, "project": "garden"}
    assert keeper.post("/v3/recall", asked).json()["suggestion"] == "zanzibar"
    assert keeper.post("/v3/recall", here).json()["suggestion"] is None
    assert stranger.post("/v3/recall", asked).json()["suggestion"] is None


def test_a_number_that_nobody_wrote_is_not_another(keeper: Person) -> None:
    keeper.save("The door code is 4711.")
    assert keeper.recall("4712", mode="fast") == []


def test_a_project_and_all_below_it(keeper: Person) -> None:
    for path in ("work", "work.notes", "work.notes.old", "workshop", "home"):
        keeper.post("/v3/projects", {"name": path, "slug": path})
        keeper.save(f"The key of {path}.", project=path)
    found = keeper.recall("key", project="work.*")
    assert set(titles(found)) == {
        f"The key of {path}." for path in ("work", "work.notes", "work.notes.old")
    }
    assert len(keeper.recall("key", project="work.notes.*")) == 2
    assert len(keeper.recall("", project="work.*")) == 3
    assert len(keeper.recall("key", project="work")) == 1


def test_filter_by_metadata(keeper: Person) -> None:
    keeper.save("The red kite.", metadata={"box": {"shelf": 3, "row": 1}, "seen": True})
    keeper.save("The blue kite.", metadata={"box": {"shelf": 4}})
    for query in ("kite", ""):
        for wanted in ({"seen": True}, {"box": {"shelf": 3}}, {"box": {"shelf": 3}, "seen": True}):
            found = keeper.recall(query, filters={"metadata": wanted})
            assert titles(found) == ["The red kite."]
        assert keeper.recall(query, filters={"metadata": {"box": {"shelf": 5}}}) == []
        assert len(keeper.recall(query, filters={"metadata": {}})) == 2


async def test_a_filter_that_leaves_three_of_a_thousand_gives_those_three(
    keeper: Person, ports: Ports
) -> None:
    keeper.save("The ship is in the harbour, the harbour of the ship.")
    await multiply(ports, keeper.tenant_id, 1_000)
    wanted = ["A ship far away.", "Of sailing, nothing else.", "Cake is good."]
    for content in wanted:
        keeper.save(content, tags=["few"], metadata={"box": 7})
    for query in ("ship in the harbour", "vessels at the quay", ""):
        for filters in ({"tags": ["few"]}, {"metadata": {"box": 7}}):
            found = keeper.recall(query, filters=filters, weak=True)
            assert sorted(titles(found)) == sorted(wanted), query
    assert len(keeper.recall("ship", limit=100)) == 100


def test_modes(keeper: Person) -> None:
    keeper.save(CAT)
    keeper.save(TAX)
    assert keeper.recall("feline pets indoors", mode="fast") == []
    for mode in ("balanced", "deep"):
        assert titles(keeper.recall("feline pets indoors", mode=mode))[0] == CAT
    fast = chunks(keeper.recall("the cat", mode="fast", explain=True))
    assert [one["content"] for one in fast] == [CAT]
    assert fast[0]["explain"]["vector"] == 0
    long = "What does the feline do all afternoon? And when are taxes to be paid, or is it later?"
    assert set(titles(keeper.recall(long, mode="deep"))) == {CAT, TAX}
    refused = keeper.post("/v3/recall", {"query": "x", "mode": "slow"})
    assert refused.status_code == 400
    assert "mode" in refused.text


@pytest.mark.parametrize("mode", ["fast", "balanced", "deep"])
def test_the_parts_add_up(keeper: Person, mode: str) -> None:
    keeper.save(TALK)
    for content in (CAT, TAX, "The parrot and the bees of Ann, written down.", paragraphs(3)):
        keeper.save(content)
    query = 'When did Ann say "the parrot" last week?'
    found = chunks(keeper.recall(query, mode=mode, explain=True, limit=100))
    best = max(_total(one) for one in found if one["explain"]["text"])
    for one in found:
        parts = one["explain"]
        score = 0.6 * parts["vector"] + 0.4 * parts["text"] + parts["recency"]
        assert one["score"] == pytest.approx(score, abs=1e-6)
        assert 0 <= parts["text"] <= 1
        if parts["text"] and mode == "fast":
            assert parts["text"] == pytest.approx(math.exp(0.3 * (_total(one) - best)), abs=1e-3)


def _total(chunk: dict[str, Any]) -> float:
    return sum(chunk["explain"]["evidence"].values())


def context(keeper: Person, query: str, max_tokens: int) -> dict[str, Any]:
    reply = keeper.post("/v3/recall", {"query": query, "max_tokens": max_tokens, "limit": 100})
    assert reply.status_code == 200, reply.text
    return reply.json()["context"]


def test_a_context_of_so_many_tokens(keeper: Person) -> None:
    keeper.save(paragraphs(12), title="Engines")
    keeper.save("An engine, briefly.", title="Brief")
    for max_tokens in (50, 200, 1_000, 100_000):
        packed = context(keeper, "the engine of paragraph 7", max_tokens)
        assert packed["tokens"] == estimate_tokens(packed["text"]) <= max_tokens
        assert "An engine, briefly." in packed["text"]
        assert (packed["left_out"] == 0) is (max_tokens == 100_000)


def test_a_context_is_given_when_asked_for_and_may_be_empty(keeper: Person) -> None:
    assert keeper.post("/v3/recall", {"query": "x"}).json()["context"] is None
    assert context(keeper, "x", 50) == {"text": "", "tokens": 0, "left_out": 0}
    for wrong in (49, 0, -1, 100_001, "many"):
        refused = keeper.post("/v3/recall", {"query": "x", "max_tokens": wrong})
        assert refused.status_code == 400
        assert "max_tokens" in refused.text


def test_single_turns_say_who_and_when_and_lean_on_each_other(keeper: Person) -> None:
    turn(keeper, "Ann", "What is your favourite harbour?", "2023-05-08T10:00:00Z")
    answer = turn(keeper, "Bob", "The one of Porto, by far.", "2023-05-08T10:01:00Z")
    alone = turn(keeper, "Bob", "The one of Porto, by far away.", "2023-05-08T10:01:00Z", "s2")
    found = keeper.recall("favourite harbour of Bob", explain=True)
    body = {one["document_id"]: one["chunks"][0] for one in found}
    assert body[answer]["speaker"] == "Bob"
    assert body[answer]["said_at"].startswith("2023-05-08T10:01:00")
    assert body[answer]["explain"]["evidence"]["answers"] > 0
    order = [one["document_id"] for one in found]
    assert order.index(answer) < order.index(alone)
    assert "answers" not in body[alone]["explain"]["evidence"]


@pytest.mark.parametrize(
    "body",
    [
        {"speaker": "Ann", "timestamp": 10**300},
        {"speaker": "Ann", "timestamp": 2023},
        {"speaker": ["Ann"], "timestamp": {"at": 1}, "session_id": ["s"]},
        {"speaker": "A" * 5_000, "timestamp": "soon", "session_id": True},
    ],
)
def test_what_tells_nothing_is_kept_all_the_same(keeper: Person, body: dict[str, Any]) -> None:
    keeper.save("The harbour is closed.", metadata=body)
    assert chunks(keeper.recall("harbour"))[0]["said_at"] is None


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
def test_other_scripts_and_accents(keeper: Person, query: str, content: str) -> None:
    keeper.save("北京的天气很好。昨天下雨。")
    keeper.save("อากาศวันนี้ดีมาก")
    keeper.save("Eine ganz andere Sache, encore une autre.")
    saved = keeper.save(content)
    for mode in ("fast", "balanced"):
        found = keeper.recall(query, mode=mode, explain=True)
        assert found[0]["document_id"] == saved["id"], mode
        assert found[0]["chunks"][0]["explain"]["text"] == 1


def test_a_speaker_of_any_script(keeper: Person) -> None:
    keeper.save(
        "Zoë: Je garde la clé.\nЙван: Ключ у меня.\nZoë: Non.\nЙван: Да.\nWeiß: Ja.\nWeiß: So."
    )
    for query, speaker in (
        ("Where is Zoë's clé?", "Zoë"),
        ("Ключ, Йван?", "Йван"),
        ("Weiß, ja?", "Weiß"),
    ):
        found = chunks(keeper.recall(query, explain=True))
        assert found[0]["speaker"] == speaker
        assert found[0]["explain"]["evidence"]["speaker"] > 0

"""Questions for yes or no: answered only by a sentence that says so."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.model import Source
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import as_statement, read_question
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

SAID_AT = datetime(2026, 11, 16, 9, tzinfo=UTC)
NOTES = [
    "Fetched the violin from the workshop on Thursday.",
    "Nora is a night nurse, Piet is not.",
    "I gave up smoking in March.",
    "I no longer take the bus.",
    "My uncle Radek keeps bees and lives in Olomouc.",
    "I want to visit Patagonia in two years.",
    "I used to be a lifeguard in Varna.",
    "The tyres are due for a change in April.",
    "Nora can't drive.",
    "We never flew to Oslo.",
    "Ilse met Piet at the market. She sings in the choir.",
    "I sold the canoe last summer.",
    "If it rains, I will paint the shed.",
    "Did I lock the cellar?",
    "I haven't renewed the insurance yet.",
    "The kiln costs 640 euros.",
]


def source(content: str, number: int = 0, speaker: str | None = None) -> Source:
    said_at = SAID_AT + timedelta(minutes=number)
    return Source(content, "memory", UUID(int=number), speaker=speaker, said_at=said_at)


def verdict(question: str, *sources: Source) -> str | None:
    asked = read_question(question, SAID_AT + timedelta(days=1))
    assert asked is not None
    found = decide(asked, sources or [source(note, at) for at, note in enumerate(NOTES)])
    return found.verdict if found else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Did I fetch the violin?", "yes"),
        ("Did I fetch the violin last Thursday?", "yes"),
        ("Did I fetch the violin on Monday?", None),
        ("Have I fetched the cello?", None),
        ("Did Nora fetch the violin?", None),
        ("Is Nora a nurse?", "yes"),
        ("Is Piet a nurse?", "no"),
        ("Is Ilse a nurse?", None),
        ("Do I still smoke?", "no"),
        ("Did I give up smoking?", "yes"),
        ("Do I take the bus?", "no"),
        ("Do I live in Olomouc?", None),
        ("Does Radek live in Olomouc?", "yes"),
        ("Does my uncle keep bees?", "yes"),
        ("Have I been to Patagonia?", None),
        ("Did I visit Patagonia?", None),
        ("Do I want to visit Patagonia?", "yes"),
        ("Am I a lifeguard?", "no"),
        ("Were the tyres changed?", None),
        ("Can Nora drive?", "no"),
        ("Can Nora swim?", None),
        ("Did we fly to Oslo?", "no"),
        ("Does Ilse sing in the choir?", "yes"),
        ("Does Nora sing in the choir?", None),
        ("Do I still have the canoe?", "no"),
        ("Did I sell the canoe?", "yes"),
        ("Did I paint the shed?", None),
        ("Did I lock the cellar?", None),
        ("Have I renewed the insurance?", "no"),
        ("Is the kiln 640 euros?", "yes"),
        ("Is the kiln 460 euros?", None),
    ],
)
def test_what_the_notes_say(question: str, expected: str | None) -> None:
    assert verdict(question) == expected


def test_the_latest_sentence_decides() -> None:
    earlier = source("I eat fish on Fridays.", 1)
    later = source("I stopped eating fish.", 2)
    assert verdict("Do I eat fish?", earlier, later) == "no"
    assert verdict("Do I eat fish?", source("I eat fish again.", 3), earlier, later) == "yes"


def test_who_speaks_in_a_talk_is_not_the_one_who_asks() -> None:
    said = source("Ana: I adopted a parrot.", speaker="Ana")
    assert verdict("Did I adopt a parrot?", said) is None
    assert verdict("Did Ana adopt a parrot?", said) == "yes"
    assert verdict("Did Ben adopt a parrot?", said) is None


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Do I still live in Rome?", "I live in Rome"),
        ("Is Ana a nurse?", "Ana is a nurse"),
        ("Is my rent 900 euros?", "my rent is 900 euros"),
        ("Did I go?", None),
        ("Where is it?", None),
    ],
)
def test_a_question_as_a_statement(question: str, statement: str | None) -> None:
    assert as_statement(question) == statement


@pytest.mark.anyio
async def test_the_word_stands_before_the_sentence_that_says_so(ports: Ports, scope: Scope) -> None:
    for note in ("Greta is allergic to walnuts.", "My studio is in Porto."):
        await save_memory(ports, scope, MemoryDraft(note))
    found = await ask(ports, scope, AskRequest("Is Greta allergic to walnuts?"))
    assert (found.kind, found.value) == ("yes_no", "Yes")
    assert found.text == "Yes — Greta is allergic to walnuts."
    assert found.quotes[0].sentence == "Greta is allergic to walnuts."
    unknown = await ask(ports, scope, AskRequest("Is Greta allergic to wasps?"))
    assert unknown.text == UNKNOWN and unknown.quotes == () and unknown.nearest


@pytest.mark.anyio
async def test_what_was_changed_since_is_answered_by_the_change(ports: Ports, scope: Scope) -> None:
    for note in ("I live in Porto, near the river.", "Moved to Braga on Monday, new flat!"):
        await save_memory(ports, scope, MemoryDraft(note))
    gone = await ask(ports, scope, AskRequest("Do I still live in Porto?"))
    now = await ask(ports, scope, AskRequest("Do I live in Braga?"))
    assert gone.text == now.text.replace("Yes", "No")
    assert now.text == "Yes — Moved to Braga on Monday, new flat!"

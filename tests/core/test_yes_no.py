"""Yes/no questions: answered only by a sentence that states the answer."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from remem.core.answers.ask import ask
from remem.core.answers.model import Source
from remem.core.answers.reply import UNKNOWN, AskRequest
from remem.core.answers.yes_no import decide
from remem.core.answers.yes_no_question import as_statement, read_question
from remem.core.language.claims.exceptions import exceptions_in
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
    yes_no_question = read_question(question, SAID_AT + timedelta(days=1))
    assert yes_no_question is not None
    decision = decide(
        yes_no_question, sources or [source(note, at) for at, note in enumerate(NOTES)]
    )
    return decision.verdict if decision else None


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
def test_the_verdict_from_the_notes(question: str, expected: str | None) -> None:
    assert verdict(question) == expected


@pytest.mark.parametrize(
    ("note", "question", "expected"),
    [
        ("Noor drinks milk but not juice.", "Does Noor drink juice?", "no"),
        ("Noor drinks milk but not juice.", "Does Noor drink milk?", "yes"),
        ("Noor drinks milk but not juice.", "Does Noor not drink juice?", "no"),
        ("Noor drinks milk not juice and sings.", "Does Noor drink juice?", "no"),
        ("Bas is afraid of geese, not of dogs.", "Is Bas afraid of dogs?", "no"),
        ("Bas teaches in Ghent now, no longer in Breda.", "Does Bas teach in Breda?", "no"),
        ("Bas teaches in Ghent now, no longer in Breda.", "Does Bas teach in Ghent?", "yes"),
        ("Bas likes tea, but no longer drinks cocoa.", "Does Bas drink cocoa?", "no"),
        ("Bas likes tea, but not everyone does.", "Does Bas like tea?", "yes"),
        ("Noor, not Bas, keeps the keys.", "Does Bas keep the keys?", "no"),
        ("Noor, not Bas, keeps the keys.", "Does Noor keep the keys?", "yes"),
        ("Noor reads everything except poems.", "Does Noor read poems?", "no"),
        ("Everyone but Bas joined the hike.", "Did Bas join the hike?", "no"),
        ("Everyone joined the hike except Bas.", "Did Bas join the hike?", "no"),
        ("Everyone except Bas joined the hike.", "Did Noor join the hike?", None),
        ("Everyone except Bas greeted Noor.", "Did Noor greet Bas?", None),
        ("Nobody but Bas joined the hike.", "Did Bas join the hike?", "yes"),
        ("I eat no meat except chicken.", "Do I eat chicken?", "yes"),
        ("We invited all the cousins except Bas to the fair.", "Did we invite Bas?", "no"),
        ("We invited all the cousins except Bas to the fair.", "Did we invite the cousins?", "yes"),
        ("The bakery is open every day except Tuesday.", "Is the bakery open on Tuesday?", "no"),
        ("Neither Bas nor Noor has a canoe.", "Does Noor have a canoe?", "no"),
        ("Bas does not eat figs nor dates.", "Does Bas eat dates?", "no"),
        ("Bas smoked, but not any more.", "Does Bas smoke?", "no"),
        ("Bas does not eat figs, but he eats dates.", "Does Bas eat dates?", "yes"),
        ("We sold the piano and bought a Vespa.", "Did we sell the Vespa?", None),
        ("We sold the piano and bought a Vespa.", "Did we buy the piano?", None),
        ("We sold the piano and bought a Vespa.", "Did we buy a Vespa?", "yes"),
        ("Bas fixed the gate and painted the fence.", "Did Bas fix the fence?", None),
        ("Bas plays the lute and teaches the horn.", "Does Bas play the horn?", None),
        ("I collect shells, used books and coins.", "Do I collect books?", "yes"),
        ("I salted the fish and cut the bread.", "Did I salt the bread?", None),
        ("I like all nuts but especially pecans.", "Do I like pecans?", "yes"),
        ("Bas is not only a cook but also a smith.", "Is Bas a smith?", "yes"),
        ("We saw the Alhambra when we were in Granada.", "Did we see Granada?", "yes"),
        ("I met Noor at noon and we ate soup.", "Did I eat soup with Noor?", "yes"),
    ],
)
def test_an_exception_in_a_sentence_is_denied(
    note: str, question: str, expected: str | None
) -> None:
    assert verdict(question, source(note)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Everyone was wet but cheerful.",
        "Everyone left but Bas stayed.",
        "We decided not to go to Breda.",
        "I asked Bas not to wait.",
        "It was late, but not very late.",
    ],
)
def test_not_every_denial_is_an_exception(sentence: str) -> None:
    assert exceptions_in(sentence).left_out == ""


def test_the_latest_sentence_decides() -> None:
    earlier = source("I eat fish on Fridays.", 1)
    later = source("I stopped eating fish.", 2)
    assert verdict("Do I eat fish?", earlier, later) == "no"
    assert verdict("Do I eat fish?", source("I eat fish again.", 3), earlier, later) == "yes"


def test_another_speaker_is_not_the_user_who_asks() -> None:
    turn = source("Ana: I adopted a parrot.", speaker="Ana")
    assert verdict("Did I adopt a parrot?", turn) is None
    assert verdict("Did Ana adopt a parrot?", turn) == "yes"
    assert verdict("Did Ben adopt a parrot?", turn) is None


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
async def test_the_answer_begins_with_yes_or_no_and_quotes_the_sentence(
    ports: Ports, scope: Scope
) -> None:
    for note in ("Greta is allergic to walnuts.", "My studio is in Porto."):
        await save_memory(ports, scope, MemoryDraft(note))
    answer = await ask(ports, scope, AskRequest("Is Greta allergic to walnuts?"))
    assert (answer.kind, answer.value) == ("yes_no", "Yes")
    assert answer.text == "Yes — Greta is allergic to walnuts."
    assert answer.quotes[0].sentence == "Greta is allergic to walnuts."
    unknown = await ask(ports, scope, AskRequest("Is Greta allergic to wasps?"))
    assert unknown.text == UNKNOWN and unknown.quotes == () and unknown.nearest


@pytest.mark.anyio
async def test_a_sentence_with_another_verb_does_not_answer(ports: Ports, scope: Scope) -> None:
    await save_memory(ports, scope, MemoryDraft("Bas plays the lute and teaches the horn."))
    answer = await ask(ports, scope, AskRequest("Does Bas play the horn?"))
    assert answer.text == UNKNOWN


@pytest.mark.anyio
async def test_a_later_change_decides_the_answer(ports: Ports, scope: Scope) -> None:
    for note in ("I live in Porto, near the river.", "Moved to Braga on Monday, new flat!"):
        await save_memory(ports, scope, MemoryDraft(note))
    old_home = await ask(ports, scope, AskRequest("Do I still live in Porto?"))
    new_home = await ask(ports, scope, AskRequest("Do I live in Braga?"))
    assert old_home.text == new_home.text.replace("Yes", "No")
    assert new_home.text == "Yes — Moved to Braga on Monday, new flat!"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("note", "question", "expected"),
    [
        ("Jonas got engaged to Petra at the weekend.", "Is Jonas single?", "No"),
        ("Mark hasn't touched a cigarette since Easter.", "Does Mark smoke?", "No"),
        ("The repairman fixed the washing machine.", "Is the washing machine broken?", "No"),
        ("The pool reopened this morning.", "Is the pool open?", UNKNOWN),
        ("Mark bought a bike.", "Does Mark smoke?", UNKNOWN),
        ("Nora got engaged to Piet.", "Is Jonas single?", UNKNOWN),
    ],
)
async def test_a_state_that_has_ended_is_a_no(
    ports: Ports, scope: Scope, note: str, question: str, expected: str
) -> None:
    await save_memory(ports, scope, MemoryDraft(note))
    answer = await ask(ports, scope, AskRequest(question, record=False))
    assert (answer.text or UNKNOWN).split(" — ")[0] == expected

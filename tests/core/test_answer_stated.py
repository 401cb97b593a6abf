"""An answer has to be stated as a fact, and about the time that is asked about."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest

from remem.core.answers.compose import compose
from remem.core.answers.current import _later_sentences
from remem.core.answers.earlier_state import asks_for_earlier_state, without_before_words
from remem.core.answers.items import include_adjacent, split_items
from remem.core.answers.model import Place, Reading, Source
from remem.core.answers.other_times import names_another_time
from remem.core.answers.periods import Period, asked_end, period_at
from remem.core.answers.question_names import NAMES_MAX, mentions_no_name, names_in_question
from remem.core.answers.sentences import SentenceSpan

SAID_AT = datetime(2026, 3, 4, 9, tzinfo=UTC)
ASKED_AT = datetime(2026, 11, 17, tzinfo=UTC)


def note(text: str, hours: int = 0, speaker: str | None = None) -> Source:
    said_at = SAID_AT.replace(hour=9 + hours)
    return Source(text, "memory", uuid5(UUID(int=0), text), said_at=said_at, speaker=speaker)


def read(rank: int, text: str, part: str, confidence: float, speaker: str | None = None) -> Reading:
    start = text.rindex(part)
    place = Place(start, start + len(part), confidence, 10 * confidence)
    return Reading(note(text, speaker=speaker), rank, 3.0, [place])


def answer_from(question: str, *notes: tuple[str, str]) -> str | None:
    """The answer from the notes; the reader is most confident of the first."""
    readings = [read(rank, text, part, 0.99 - rank / 20) for rank, (text, part) in enumerate(notes)]
    return compose(question, ASKED_AT, readings).text


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Who is our mayor?",
            ("Until 2019 our mayor was Otto Krug.", "Otto Krug"),
            ("Our mayor is Ines Vale.", "Ines Vale"),
        ),
        (
            "Who is the director?",
            ("From 2028 the director will be Lars Moe.", "Lars Moe"),
            ("The director is Bea Holm.", "Bea Holm"),
        ),
        (
            "How much does a class cost?",
            ("In 2020 a class cost 9 euros.", "9 euros"),
            ("A class costs 14 euros.", "14 euros"),
        ),
        (
            "How many rooms does our house have?",
            ("I dreamt that our house had 12 rooms.", "12"),
            ("Our house has 7 rooms.", "7"),
        ),
        (
            "When is the launch?",
            ("Greg asked whether the launch is on 1 July 2027.", "1 July 2027"),
            ("The launch is on 1 May 2027.", "1 May 2027"),
        ),
        (
            "What is the wifi password?",
            ("Should the wifi password be changed to maple99?", "maple99"),
            ("The wifi password is hazel12.", "hazel12"),
        ),
        (
            "What foods don't I like?",
            ("I like cardamom buns.", "cardamom buns"),
            ("I don't like cilantro.", "cilantro"),
        ),
        (
            "What can’t Ole do?",
            ("Ole can swim.", "swim"),
            ("Ole can't ride a bike.", "ride a bike"),
        ),
        (
            "What was the revenue in 2024?",
            ("The revenue in 2022 was 31k.", "31k"),
            ("The revenue in 2024 was 40k.", "40k"),
        ),
    ],
)
def test_a_statement_about_the_time_asked_about_answers(
    question: str, first: tuple[str, str], second: tuple[str, str]
) -> None:
    assert answer_from(question, first, second) == second[1]


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        # A current statement about something else is not an answer.
        (
            "Who is our mayor?",
            ("Until 2019 our mayor was Otto Krug.", "Otto Krug"),
            ("Our vet is Ines Vale.", "Ines Vale"),
        ),
        (
            "Why am I not going to the party?",
            ("I am not going to the party because we visit Felix.", "we visit Felix"),
            ("I am not fond of parties.", "fond of parties"),
        ),
        (
            "Who was our mayor?",
            ("Until 2019 our mayor was Otto Krug.", "Otto Krug"),
            ("Our mayor is Ines Vale.", "Ines Vale"),
        ),
        (
            "Who is our vet?",
            ("Since 2019 our vet is Dr. Falk.", "Dr. Falk"),
            ("Our vet is Dr. Ahn.", "Dr. Ahn"),
        ),
    ],
)
def test_the_first_reading_stays_the_answer(
    question: str, first: tuple[str, str], second: tuple[str, str]
) -> None:
    assert answer_from(question, first, second) == first[1]


@pytest.mark.parametrize(
    ("question", "text", "part"),
    [
        ("What was the revenue in 2022?", "The revenue in 2024 was 40k.", "40k"),
        ("What is the wifi password?", "Is the wifi password maple99?", "maple99"),
        ("How old is Kim?", "Kim was born on 17 May 2010.", "17 May 2010"),
    ],
)
def test_nothing_is_made_up(question: str, text: str, part: str) -> None:
    assert answer_from(question, (text, part)) is None


def test_a_question_in_a_conversation_may_answer() -> None:
    text = "Ana: Did you know that I moved to Oslo?"
    answer = compose("Where does Ana live?", ASKED_AT, [read(0, text, "Oslo", 0.99, "Ana")])
    assert answer.text == "Oslo"


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("How much was the refund for 2022?", "The refund in 2023 was 1,094.", True),
        ("How much was the refund for 2023?", "The refund in 2023 was 1,094.", False),
        ("How much was the refund?", "The refund in 2023 was 1,094.", False),
        ("What was the rent in 2024?", "Since 2022 the rent is 900 euros.", False),
        ("What was it between 2021 and 2023?", "It was 5 in 2022.", False),
        ("What cost 2022 euros?", "The bike cost 2022 euros in 2025.", False),
        ("What was the temperature on Friday?", "On Monday the temperature was 38.4.", True),
        ("What do I do on Mondays?", "On Monday I swim.", False),
        ("What did we eat in June?", "In May we ate asparagus.", True),
        ("What may I eat in June?", "You may eat fish.", False),
        # A statement made at that time may be about it.
        ("What happened in March?", "We sell the boat in May.", False),
        ("What happened in 2026?", "In 2019 we bought the boat.", False),
        ("What happened on Wednesday?", "We sell the boat on Sunday.", False),
    ],
)
def test_another_year_month_or_day(question: str, text: str, other: bool) -> None:
    assert names_another_time(question, text, SAID_AT) is other


def test_without_a_day_of_its_own_a_note_counts_as_of_another_time() -> None:
    assert names_another_time("What was it in 2026?", "In 2024 it was 5.", None)


@pytest.mark.parametrize(
    ("later", "counts"),
    [
        ("The wifi password is maple99 now.", True),
        ("Should the wifi password be changed to maple99?", False),
        ("Until May the wifi password was maple99.", False),
        ("The wifi password will be maple99.", False),
        ("The wifi password was changed, and it is maple99 now.", True),
    ],
)
def test_only_a_current_statement_replaces_an_answer(later: str, counts: bool) -> None:
    sources = [note("The wifi password is hazel12."), note(later, hours=1)]
    assert bool(_later_sentences(sources, 0, sources[0].content)) is counts


@pytest.mark.parametrize(
    ("question", "text", "heading", "another"),
    [
        ("Where does Joachim live?", "Anders lives in Bergen.", "", True),
        ("where does aunt Odile live?", "Agnes lives in Gdansk.", "", True),
        ("Where does Anders live?", "Anders lives in Bergen.", "", False),
        ("Where does Andres live?", "Anders lives in Bergen.", "", False),
        ("Where is Anders's flat?", "anders: flat in Bergen", "", False),
        ("How much does Balu weigh?", "Weight: 31 kg.", "Dog Balu", False),
        ("How much does Mitzi weigh?", "Weight: 31 kg.", "Dog Balu", True),
        ("Where did we eat in May?", "We ate at the harbour.", "", False),
        ("WHERE DO I LIVE?", "My flat is in Bergen.", "", False),
        ("Which OS does the server run?", "The server runs Debian 13.", "", False),
        ("Wie hoch ist die Miete im Monat?", "Wir zahlen 870 Euro.", "", False),
    ],
)
def test_a_note_about_somebody_else(question: str, text: str, heading: str, another: bool) -> None:
    source = Source(text, "chunk", UUID(int=1), heading_path=(heading,) if heading else ())
    assert mentions_no_name(names_in_question(question), source) is another


def test_a_turn_of_a_conversation_needs_no_name() -> None:
    assert not mentions_no_name(["ana"], note("I live in Oslo.", speaker="Ana"))


def test_the_names_in_a_question_are_limited() -> None:
    many = " and with ".join(f"Ana{letter * 3}" for letter in "abcdefghijklmnop")
    assert len(names_in_question(f"where are they with {many} and the others?")) == NAMES_MAX


def test_a_note_about_somebody_else_answers_nothing() -> None:
    assert answer_from("Where does Joachim live?", ("Anders lives in Bergen.", "Bergen")) is None
    hens = ("Otto keeps 12 hens.", "12")
    assert answer_from("How many hens does Ida keep?", hens) is None


def period(text: str) -> Period | None:
    return period_at(text, SentenceSpan(0, len(text)), SAID_AT)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("It runs from 3 May 2027 until 9 August 2027.", "3 May 2027", "9 August 2027"),
        ("It is from January to April 2027.", "January 2027", "April 2027"),
        ("We have it between 4 and 11 April 2027.", "4 April 2027", "11 April 2027"),
        ("Closed from 1 November to 15 March.", "1 November", "15 March"),
        ("From May 3rd through May 9th we are in Rome.", "May 3rd", "May 9th"),
    ],
)
def test_the_two_ends_of_a_period(text: str, first: str, last: str) -> None:
    parsed = period(text)
    assert parsed
    assert asked_end("When does it start?", parsed) == first
    assert asked_end("when is it over?", parsed) == last
    assert asked_end("When is it?", parsed) == f"from {first} to {last}"


@pytest.mark.parametrize(
    "text", ["I drove from Bergen to Oslo in May 2025.", "It costs between 40 and 60 euros."]
)
def test_no_period(text: str) -> None:
    assert period(text) is None


@pytest.mark.parametrize(
    ("question", "text", "part", "expected"),
    [
        (
            "When does the fair start?",
            "The fair is from 3 to 9 May 2027.",
            "9 May 2027",
            "3 May 2027",
        ),
        # Moved from one day to another: not a period.
        (
            "When is the fair?",
            "The fair was moved from 3 May 2027 to 9 May 2027.",
            "9 May 2027",
            "9 May 2027",
        ),
        # The place that was read is outside of the period.
        (
            "When did I book it?",
            "I booked the fair of 3 to 9 May 2027 on 1 February 2026.",
            "1 February 2026",
            "1 February 2026",
        ),
    ],
)
def test_of_a_period_the_end_that_is_asked_for_is_given(
    question: str, text: str, part: str, expected: str
) -> None:
    assert answer_from(question, (text, part)) == expected


@pytest.mark.parametrize(
    ("question", "asks_for_earlier", "plain"),
    [
        ("Who was my previous vet?", True, "Who was my vet?"),
        ("who was my vet before Dr. Falk?", True, "who was my vet?"),
        ("Where did Bo live before?", True, "Where did Bo live?"),
        ("Where did we use to live?", False, "Where did we use to live?"),
        ("what do I drink before breakfast?", False, "what do I drink?"),
        ("What must I buy before Christmas?", False, "What must I buy?"),
        ("Who is my vet?", False, "Who is my vet?"),
    ],
)
def test_questions_about_an_earlier_state(
    question: str, asks_for_earlier: bool, plain: str
) -> None:
    assert asks_for_earlier_state(question) is asks_for_earlier
    assert without_before_words(question) == plain


def test_a_current_statement_does_not_answer_a_question_about_before() -> None:
    now = ("Bo lives in Malmo now.", "Malmo")
    assert answer_from("Where did Bo live before?", now) is None
    assert (
        answer_from("Where did Bo live before?", now, ("Bo used to live in Lund.", "Lund"))
        == "Lund"
    )


def test_a_name_in_the_question_is_not_its_answer() -> None:
    said = ("Falk was our vet until May.", "Falk")
    assert answer_from("Who was our vet before Falk?", said) is None


@pytest.mark.parametrize(
    ("text", "first", "items"),
    [
        ("Agnes likes opera, chess and sailing.", "opera", ["opera", "chess", "sailing"]),
        ("Ivy likes old maps, jazz, and red wine", "old maps", ["old maps", "jazz", "red wine"]),
        ("I like tea and sleep late.", "tea", ["tea"]),
        ("I like tea, but not coffee.", "tea", ["tea"]),
    ],
)
def test_an_item_is_extended_to_the_items_beside_it(
    text: str, first: str, items: list[str]
) -> None:
    start = text.index(first)
    span = include_adjacent(text, start, start + len(first))
    assert [text[a:b] for a, b in split_items(text, *span, "What is it?")] == items


@pytest.mark.parametrize(
    ("question", "text", "part", "expected"),
    [
        ("When did Lubna start teaching me?", "Lubna is my Arabic teacher.", "Lubna", None),
        ("When did I buy the van?", "The van is in Hall 3 with the boats.", "The van", None),
        ("When did I sell the drill?", "Sold the drill to Omar.", "Sold", "4 March 2026"),
        ("When did I plant tulips?", "Planted tulips, which are red.", "tulips", "4 March 2026"),
        ("When is the choir?", "Choir is on Mondays at 19:30.", "Mondays", "Mondays"),
    ],
)
def test_a_note_about_a_state_does_not_tell_when_something_happened(
    question: str, text: str, part: str, expected: str | None
) -> None:
    assert answer_from(question, (text, part)) == expected


def test_a_turn_is_dated_by_the_day_it_was_said() -> None:
    reading = read(0, "Ana: I am a grandmother!", "a grandmother", 0.99, speaker="Ana")
    answer = compose("When did Ana become a grandmother?", ASKED_AT, [reading])
    assert answer.text == "4 March 2026"


def test_a_turn_said_at_the_time_named_in_the_question_comes_first() -> None:
    early = read(0, "Ana: I joined a choir.", "a choir", 0.99, speaker="Ana")
    late = read(2, "Ana: I joined a rowing club.", "a rowing club", 0.98, speaker="Ana")
    in_june = replace(late.source, said_at=datetime(2026, 6, 3, tzinfo=UTC))
    readings = [early, replace(late, source=in_june)]
    assert compose("Which club did Ana join?", ASKED_AT, readings).text == "a choir"
    answer = compose("Which club did Ana join, as mentioned on 3 June 2026?", ASKED_AT, readings)
    assert answer.text == "a rowing club"

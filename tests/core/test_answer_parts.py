"""What a question asks for, and how the answer is composed from the readings."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest

from remem.core.answers.compose import compose
from remem.core.answers.model import Answer, Place, Reading, Source
from remem.core.answers.questions import what_is_asked, what_is_counted
from remem.core.language.numbers import count_in

SAID_AT = datetime(2023, 5, 17, 14, tzinfo=UTC)
ASKED_AT = datetime(2023, 6, 1, tzinfo=UTC)


def reading(
    text: str, part: str, *, speaker: str = "Ana", confidence: float = 0.95, relevance: float = 3.0
) -> Reading:
    content = f"{speaker}: {text}"
    start = content.index(part)
    id = uuid5(UUID(int=0), content)
    source = Source(content, "chunk", id, speaker=speaker, said_at=SAID_AT)
    return Reading(
        source, 0, relevance, [Place(start, start + len(part), confidence, 10 * confidence)]
    )


def answer(question: str, *readings: Reading) -> Answer:
    return compose(question, ASKED_AT, readings)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did Ana run the race?", "when"),
        ("do you know when Ana moved?", "when"),
        ("Which month did they open the shop?", "when"),
        ("How many weeks ago did I buy the bike?", "ago"),
        ("How many pets does Ben have?", "count"),
        ("What books has Ana read?", "list"),
        ("Which cities did we visit?", "list"),
        ("What are Ben's hobbies?", "list"),
        ("Where has Ana camped?", "list"),
        ("What kind of food does Ben like?", "one"),
        ("What kinds of food does Ben like?", "list"),
        ("What parts of Spain has Ben seen?", "list"),
        ("Who have sent flowers?", "list"),
        ("What does Ivy like?", "list"),
        ("What is Lasse allergic to?", "list"),
        ("what medicine do I take?", "list"),
        ("What does Ivy like about Rome?", "one"),
        ("What is the wifi password?", "one"),
        ("What news did Ben bring?", "one"),
        ("How long did the trip take?", "one"),
        ("Who is my dentist?", "one"),
        ("", "one"),
    ],
)
def test_what_a_question_asks_for(question: str, kind: str) -> None:
    assert what_is_asked(question).kind == kind


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("I ran the race yesterday.", "yesterday", "16 May 2023"),
        ("I ran the race last Wednesday, it was hot.", "the race", "Wednesday 10 May 2023"),
        ("We ran it two weeks ago.", "two weeks ago", "the week of 1 May 2023"),
        ("We ran it last week.", "last week", "the week before 17 May 2023"),
        ("We ran it last weekend.", "last weekend", "the weekend before 17 May 2023"),
        ("I ran the race in 2019.", "in 2019", "2019"),
        ("I will run the race next month.", "next month", "June 2023"),
        ("I ran it a few years ago.", "a few years ago", "a few years ago"),
        ("I just ran the race!", "ran the race", "17 May 2023"),
    ],
)
def test_a_time_is_resolved_relative_to_the_day_it_was_said(
    text: str, part: str, expected: str
) -> None:
    result = answer("When did Ana run the race?", reading(text, part))
    assert result.text == expected
    [citation] = result.citations
    assert citation.source.content[citation.start : citation.end] == citation.text


@pytest.mark.parametrize(
    ("question", "text", "part", "expected"),
    [
        ("When does the gym open?", "The gym opens at half past five.", "half past five",
         "half past five"),
        ("What time is the standup?", "The standup is at 9:30.", "9:30", "9:30"),
        ("When are the bins emptied?", "The bins are emptied on Thursdays.", "Thursdays",
         "Thursdays"),
        ("When is the choir?", "The choir meets on Thursdays at 19:45.", "19:45",
         "Thursdays at 19:45"),
        ("When is the vet?", "The vet is on 24 May at 10:20.", "10:20", "24 May 2023 at 10:20"),
        ("When is the wedding?", "The wedding is next Saturday.", "next Saturday",
         "Saturday 27 May 2023"),
    ],
)  # fmt: skip
def test_a_recurring_time_is_quoted_unchanged(
    question: str, text: str, part: str, expected: str
) -> None:
    assert answer(question, reading(text, part)).text == expected


def test_how_long_ago_counts_from_the_day_of_asking() -> None:
    bought = reading("I bought the bike yesterday.", "yesterday")
    assert answer("How many days ago did Ana buy the bike?", bought).text == "16 days ago"
    assert answer("How many weeks ago did Ana buy the bike?", bought).text == "2 weeks ago"


@pytest.mark.parametrize(
    ("question", "text", "part", "expected"),
    [
        ("How many weeks ago did Ana go to Rome?", "I go to Rome on 3 July 2023.", "3 July 2023",
         None),
        ("How many days ago was the race?", "The race is on 12 August 2023.", "12 August", None),
        ("How many years ago did Ana buy the bike?", "I bought the bike yesterday.", "yesterday",
         "16 days ago"),
    ],
)  # fmt: skip
def test_what_is_ahead_is_not_some_time_ago(
    question: str, text: str, part: str, expected: str | None
) -> None:
    assert answer(question, reading(text, part)).text == expected


def test_what_has_happened_answers_how_long_ago_rather_than_a_plan() -> None:
    ahead = reading("I go to Rome on 3 July 2023.", "3 July 2023", confidence=0.99)
    past = reading("I went to Rome last week.", "last week", confidence=0.5)
    reply = answer("How many weeks ago did Ana go to Rome?", ahead, past)
    assert reply.text == "3 weeks ago"


def test_several_things_are_listed_once_each() -> None:
    result = answer(
        "What books has Ana read?",
        reading("I read Dune.", "Dune"),
        reading("I finished Emma last night.", "Emma", confidence=0.9),
        reading("Dune is great.", "Dune", confidence=0.9),
        reading("I like tea.", "tea", confidence=0.001),
    )
    assert result.text == "Dune, Emma"
    assert [citation.text for citation in result.citations] == ["Dune", "Emma", "Dune"]


def test_a_number_in_the_text_takes_precedence_over_counting() -> None:
    turtles = reading("I have three turtles.", "three turtles")
    readings = [reading("I read Dune.", "Dune"), reading("I finished Emma.", "Emma")]
    assert compose("How many turtles does Ana have?", ASKED_AT, [turtles], [turtles]).text == "3"
    question = "How many books has Ana read?"
    assert compose(question, ASKED_AT, readings, readings).text == "2"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("thirty-five of them", 35),
        ("forty chairs and five tables", 40),
        ("three turtles", 3),
        ("1,200 euros", 1200),
        ("twice", 2),
        ("my fourth tournament", 4),
        ("that one", None),
        ("3.5 miles", None),
        ("a few", None),
    ],
)
def test_the_number_in_a_phrase(text: str, number: int | None) -> None:
    assert count_in(text) == number


def test_what_another_speaker_says_of_themselves_is_not_the_answer() -> None:
    ben = reading("My dog is called Rex.", "Rex", speaker="Ben", confidence=0.8)
    ana = reading("I love the sea.", "the sea", confidence=0.01, relevance=-8.5)
    known = answer("What is the name of Ben's dog?", ben, ana)
    unknown = answer(
        "What is the name of Ana's dog?",
        *(replace(turn, other_relevance=4.0) for turn in (ben, ana)),
    )
    assert unknown.confidence < known.confidence
    assert (unknown.text, known.text) == (None, "Rex")


def test_without_a_confident_reading_the_answer_is_unknown() -> None:
    unsure = reading("I love the sea.", "the sea", confidence=0.0001)
    result = answer("What is the name of my dog?", unsure)
    assert result.text is None
    assert result.confidence < 0.5
    assert answer("What is the name of my dog?") == Answer(
        "What is the name of my dog?", "one", None, 0.0
    )


def test_each_thing_of_each_text_is_cited() -> None:
    result = answer(
        "What did I plant?",
        reading("Planted leeks, two plum trees and a rose.", "leeks, two plum trees and a rose"),
        reading("I planted mint.", "mint", confidence=0.6, relevance=0.5),
        reading("Planted the rose by the wall.", "the rose", confidence=0.9),
    )
    assert result.text == "leeks, two plum trees, a rose, mint"
    assert [(citation.text, citation.value) for citation in result.citations] == [
        ("leeks", "leeks"),
        ("two plum trees", "two plum trees"),
        ("a rose", "a rose"),
        ("the rose", "a rose"),
        ("mint", "mint"),
    ]


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("I saw Blue Velvet and Stalker on Monday.", "Blue", "Blue Velvet, Stalker"),
        ("I saw Pride and Prejudice.", "Pride and Prejudice", "Pride and Prejudice"),
        ("I saw Alien and Klara and the Sun.", "Alien and Klara and the Sun",
         "Alien, Klara and the Sun"),
        ("I saw Heat, a film with Al Pacino.", "Heat", "Heat"),
        ("I saw Ran (1985) and Alien (1979).", "Ran (1985) and Alien (1979)", "Ran, Alien"),
        ("I saw Solaris and Heat too; both were long.", "Solaris and Heat too", "Solaris, Heat"),
        ("I saw Stalker again.", "Stalker again", "Stalker"),
    ],
)  # fmt: skip
def test_a_title_is_kept_whole_as_one_item(text: str, part: str, expected: str) -> None:
    assert answer("Which films did I see?", reading(text, part)).text == expected


def test_planned_or_denied_things_are_not_listed() -> None:
    result = answer(
        "Which lakes have I swum in?",
        reading("I want to swim in Lake Bled.", "Lake Bled", confidence=0.99, relevance=5),
        reading("I never swam in Lake Ohrid.", "Lake Ohrid", confidence=0.99, relevance=5),
        reading("I swam in Lake Como.", "Lake Como", confidence=0.9),
    )
    assert result.text == "Lake Como"


def count(question: str, *listed: Reading, stated: tuple[Reading, ...] = ()) -> Answer:
    return compose(question, ASKED_AT, stated or listed, listed)


def test_things_are_counted_if_no_number_is_stated() -> None:
    result = count(
        "How many instruments do I own?",
        reading("I own an oboe and two drums.", "an oboe and two drums"),
        reading("I bought a banjo.", "a banjo", relevance=6, confidence=0.9999),
    )
    assert result.text == "4" and result.is_counted
    assert len(result.citations) == 3


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many children does Jonas have?", None),
        ("How many sisters and brothers does Jonas have?", "2"),
        ("How many children does Ana have?", "3"),
    ],
)
def test_a_list_that_contains_somebody_does_not_count_as_theirs(
    question: str, expected: str | None
) -> None:
    children = reading("The children are Marta, Jonas and Priya.", "Marta, Jonas and Priya")
    assert count(question, children).text == expected


def test_the_number_of_a_single_thing_is_not_a_count() -> None:
    assert what_is_counted("What is the number of my parking permit?") is None
    assert what_is_counted("What is the number of guests?") is not None


def test_a_number_of_something_else_is_not_the_count() -> None:
    pages = reading("I read 40 pages of Emma.", "40 pages")
    assert count("How many books did I read?", reading("I read Emma.", "Emma"), stated=(pages,)) \
        .text == "1"  # fmt: skip


def test_a_part_of_a_measurement_is_not_the_count() -> None:
    race = reading("I ran the Ghent half marathon in 1 hour 52.", "the Ghent half marathon")
    took = reading("I ran the Ghent half marathon in 1 hour 52.", "52")
    assert count("How many races did I run?", race, stated=(took,)).text == "1"


def test_times_are_counted_by_their_dates() -> None:
    result = count(
        "How many times did I see the vet?",
        reading("I saw the vet on 2 May and again last Friday.", "2 May"),
        reading("Saw the vet yesterday.", "yesterday", confidence=0.6),
    )
    assert result.text == "3"
    assert [citation.value for citation in result.citations] == [
        "2 May 2023",
        "Friday 12 May 2023",
        "16 May 2023",
    ]


@pytest.mark.parametrize(
    ("question", "noun", "listed"),
    [
        ("How many books did I read?", "books", "Which books did I read?"),
        ("how many people came to dinner?", "people", "Which people came to dinner?"),
        ("How many times did I run?", "times", "When did I run?"),
    ],
)
def test_what_is_counted(question: str, noun: str, listed: str) -> None:
    counted = what_is_counted(question)
    assert counted is not None
    assert (counted.noun, counted.question) == (noun, listed)


def test_the_stronger_of_two_texts_answers_whatever_its_confidence() -> None:
    weak, strong = (
        reading("I baked bread.", "bread"),
        reading("I baked a plum tart.", "a plum tart"),
    )
    [first], [second] = weak.places, strong.places
    readings = [
        replace(weak, places=[first._replace(confidence=0.97, strength=2.0)]),
        replace(strong, places=[second._replace(confidence=0.9, strength=9.0)]),
    ]
    assert answer("What did Ana bake for Ben?", *readings).text == "a plum tart"


def test_places_joined_by_and_are_one_answer() -> None:
    first = reading("She was calm and rather cheerful, and it rained.", "calm")
    content = first.source.content
    more = [
        Place(start := content.index(part), start + len(part), 0.5, 8.5)
        for part in ("rather cheerful", "it rained")
    ]
    joined = replace(first, places=[*first.places, *more])
    assert answer("How did Ana feel?", joined).text == "calm and rather cheerful"
    weak = replace(
        first, places=[*first.places, *(place._replace(strength=-9.0) for place in more)]
    )
    assert answer("How did Ana feel?", weak).text == "calm"

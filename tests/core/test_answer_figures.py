"""Figures, borrowed things and ages: the right one of several in a note."""

from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest

from remem.core.answers.ages import by_age
from remem.core.answers.amounts import asked_figure
from remem.core.answers.holders import by_holder
from remem.core.answers.model import Answer, Source
from remem.core.answers.sentences import SentenceSpan


@pytest.mark.parametrize(
    ("question", "note", "part", "expected"),
    [
        ("How much is the deposit?", "Rent is 900 and deposit 1,800.", "900", "1,800"),
        ("How much is the rent?", "Rent is 900 and deposit 1,800.", "1,800", "900"),
        ("How much were the pills?", "Clinic: 70 for the scan, 15 for the pills.",
         "70 for the scan, 15", "15"),
        ("How much is garage 3?", "Garage 3 is 45 euros a month, the remote was 20.",
         "3 is 45", "45 euros a month"),
        ("Which tram goes to the zoo?", "Tram 4 runs downtown, tram 9 to the zoo.", "4", "9"),
        ("How much was the gas bill in June?", "The gas bill was 88 in May and 104 in June.", "104",
         "104"),
        ("How long does tomato juice stay on?", "3. Tomato juice\nWash it off after 10 minutes.",
         "10 minutes", "10 minutes"),
        ("Who goes to the zoo?", "Ana takes tram 9 to the zoo, Ben tram 4.", "Ana", "Ana"),
        ("How much is it?", "Rent is 900 and deposit 1,800.", "900", "900"),
        ("What opens the cellar?", "Door codes: main door 4471A, cellar 2093B.", "4471", "2093B"),
        ("What is the shed code?", "Shed 4-1-7, garage 2-2-9.", "2-2-9", "4-1-7"),
        ("What is the unit price of gas?", "Power is 21.8p, gas 7.2p.", "21.8p", "7.2"),
    ],
)  # fmt: skip
def test_a_figure_belongs_to_the_words_around_it(
    question: str, note: str, part: str, expected: str
) -> None:
    start = note.index(part)
    figure = asked_figure(
        question, note, SentenceSpan(0, len(note)), SentenceSpan(start, start + len(part))
    )
    assert note[figure.start : figure.end] == expected


def sources(*notes: str) -> list[Source]:
    return [
        Source(note, "memory", uuid5(UUID(int=0), note), said_at=datetime(2026, 1, day, tzinfo=UTC))
        for day, note in enumerate(notes, start=1)
    ]


@pytest.mark.parametrize(
    ("question", "notes", "expected"),
    [
        ("Who has my copy of Emma?", ["Lent my copy of Emma by Jane Austen to Tilda."], "Tilda"),
        ("Who has the ladder?", ["My brother borrowed the ladder."], "your brother"),
        ("Who did I lend the kayak to?", ["I lent Sven the kayak."], "Sven"),
        ("Who has the ladder?", ["Sven borrowed the ladder.", "Got the ladder back today."], None),
        ("Who has the ladder?", ["Sven took the ladder. He brought it back on Monday."], None),
        ("Who has the ladder?", ["Got the ladder back.", "The ladder is at Ida's."], "Ida"),
        ("Who is my dentist?", ["Sven has the ladder."], "read"),
    ],
)
def test_the_latest_note_tells_who_has_a_thing(
    question: str, notes: list[str], expected: str | None
) -> None:
    assert by_holder(Answer(question, "one", "read", 0.9), sources(*notes)).text == expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Guests: Jonas (7) and Mia (9).", "7"),
        ("Jonas, 11, wants a kite.", "11"),
        ("Jonas, aged 8, swims.", "8"),
        ("Jonas has 3 kites.", None),
        ("Mia (9) and Jonas.", None),
        ("Jonas was born on 17 May 2010.", "16"),
        ("Jonas' birthday is 18 November 2010.", "15"),
        ("Mia was born on 17 May 2010. Jonas has a kite.", None),
        ("Jonas' birthday is on 17 May.", None),
    ],
)
def test_an_age_comes_from_a_number_beside_the_name_or_from_a_birth_date(
    note: str, expected: str | None
) -> None:
    unanswered = Answer("How old is Jonas?", "one", None, 0.0)
    asked_at = datetime(2026, 11, 17, tzinfo=UTC)
    assert by_age(unanswered, sources(note), asked_at).text == expected

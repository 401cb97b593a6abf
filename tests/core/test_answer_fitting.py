"""Whether an answer has the kind the question asks for, and is complete."""

from uuid import UUID

import pytest

from remem.core.answers.fitting import (
    announces_change,
    asks_for_total,
    changed_value,
    complete_place,
    contains_all_words,
    is_about_opposite,
    whole_secret,
)
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.people import rephrase_for_user
from remem.core.answers.say import asks_yes_or_no, claims_of
from remem.core.answers.sentences import SentenceSpan


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("Write to olga@example.org.", "example.org", "olga@example.org"),
        ("It costs 2,350 euros.", "2", "2,350"),
        ("Ida (9) and Otto (5) came.", "Ida (9", "Ida"),
        ("The key is with Ida. Row 12B is ours.", "Ida. Row 12B", "Ida"),
        ("Ask Dr. Maes about it.", "Dr. Maes", "Dr. Maes"),
        ("It leaves at 10:35 from gate 4.", "10", "10:35"),
        ("Call +49 151 23 first.", "49 151 23", "+49 151 23"),
        ("It costs €40.", "40", "€40"),
        ("Her blood type is A positive.", "positive", "A positive"),
        ("We tested it. A positive result came.", "positive", "positive"),
    ],
)
def test_a_place_is_extended_to_the_complete_expression(
    text: str, part: str, expected: str
) -> None:
    start = text.index(part)
    place = complete_place(text, start, start + len(part))
    assert text[place.start : place.end] == expected


def test_of_a_change_the_new_value_is_the_current_one() -> None:
    text = "The fee rose from 1,200 to 1,350 euros."
    place = SentenceSpan(text.index("1,200"), text.index(" euros"))
    now, before = (changed_value(text, place, now=now) for now in (True, False))
    assert text[now.start : now.end] == "1,350"
    assert text[before.start : before.end] == "1,200"


def test_a_change_must_be_of_the_thing_asked_about() -> None:
    question = "When is the choir concert?"
    assert announces_change(question, "The choir concert was moved to 9 May.")
    assert not announces_change(question, "We moved the piano.")
    assert not announces_change(question, "The choir concert is in the old church.")
    assert not announces_change("What is Mira's job?", "Mira's hair is now blue.")
    assert not announces_change("Who is Theo's teacher now?", "Theo has the orange belt now.")


def test_a_sentence_uses_only_words_of_the_source() -> None:
    assert contains_all_words("my locker code", "The code of my locker is 4417.")
    assert not contains_all_words("my bank account number", "The plumber's number is 0498 11.")
    assert not contains_all_words("the revenue in 2022", "The revenue was 40k.")


def test_my_in_a_note_becomes_your_in_the_answer() -> None:
    assert rephrase_for_user("my aunt and Ben", None) == "your aunt and Ben"
    assert rephrase_for_user("my early sketches", "Ana") == "early sketches"
    assert rephrase_for_user("that", "Ana") == "that"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many vacation days do I have left?", True),
        ("What is left of the budget?", True),
        ("How much did I spend in total?", True),
        ("Which book left me hopeful?", False),
        ("Who left the team?", False),
        ("Is Ida left-handed?", False),
    ],
)
def test_what_is_left_asks_for_a_total_and_who_left_does_not(question: str, expected: bool) -> None:
    assert asks_for_total(question) is expected


@pytest.mark.parametrize(
    ("question", "note", "part", "expected"),
    [
        ("What is Sara's dog called?", "Sara's dog is called Pip.", "Pip", "Pip"),
        ("What is the gate code?", "The gate code is 1187.", "1187", "The gate code is 1187"),
        (
            "What is the code of hall I?",
            "The code of hall I is 12.",
            "12",
            "The code of hall I is 12",
        ),
        ("What is my gate code?", "My gate code is 1187.", "1187", "Your gate code is 1187"),
    ],
)
def test_a_claim_is_a_sentence_where_one_can_be_formed(
    question: str, note: str, part: str, expected: str
) -> None:
    start = note.index(part)
    source = Source(note, "memory", UUID(int=1))
    citation = Citation(source, start, start + len(part), part, part, 0.9)
    assert claims_of(Answer(question, "one", part, 0.9, (citation,)))[0][0] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does Pia eat meat?", True),
        ("doesn't Pia eat meat?", True),
        ("Won’t we fly to Japan?", True),
        ("What doesn't Pia eat?", False),
        ("Donuts or cake?", False),
        ("Wo feiert Theo Geburtstag?", False),
        ("Was ist das Passwort für das WLAN?", False),
        ("Was kostet der Strom?", False),
        ("Has hablado con la casera?", False),
        ("Will der Hund mit?", False),
        ("Was Anna in Rome?", True),
        ("Was kostet Zimmer 14?", False),
        ("Is Zimmer 3 am Samstag frei?", False),
        ("Can Mehmet geliyor mu?", False),
        ("Was Leni sick?", True),
        ("Will Jovana sit on Monday?", True),
    ],
)
def test_questions_for_yes_or_no(question: str, expected: bool) -> None:
    assert asks_yes_or_no(question) is expected


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("When does the shop open?", "The shop closes at 18:00.", True),
        ("When does the shop open?", "The shop opens at 9 and closes at 18:00.", False),
        ("When does the shop open again?", "The shop is closed until May.", False),
        ("When does the show end?", "The show starts at 20:00.", True),
        ("When does the train arrive?", "The train leaves at 8:15.", True),
        ("When does the train leave?", "The train leaves at 8:15.", False),
        ("When did I buy the boat?", "I sold the boat in 2019.", True),
    ],
)
def test_an_end_does_not_answer_a_question_for_the_beginning(
    question: str, sentence: str, expected: bool
) -> None:
    assert is_about_opposite(question, sentence) is expected


@pytest.mark.parametrize(
    ("question", "text", "part", "expected"),
    [
        ("What is the wifi password?", "wifi pw Blue!Kettle9.", "Kettle9", "Blue!Kettle9"),
        ("netflix password?", "a@b.org / a&b^c*9!", "b", "a&b^c*9"),
        ("What is the code?", "**4711** is the code", "4711", "4711"),
        ("What is the pin?", "pin:7734; 5511", "7734", "7734"),
        ("Who sang?", "Uma!Bo sang", "Bo", "Bo"),
    ],
)
def test_a_password_has_all_its_signs(question: str, text: str, part: str, expected: str) -> None:
    start = text.rindex(part)
    whole = whole_secret(question, text, SentenceSpan(start, start + len(part)))
    assert text[slice(*whole)] == expected

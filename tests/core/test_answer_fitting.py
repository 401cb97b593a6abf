"""Whether an answer has the kind the question asks for, and is complete."""

from uuid import UUID

import pytest

from remem.core.answers.fitting import (
    announces_change,
    asks_for_total,
    changed_value,
    complete_place,
    contains_all_words,
    fits,
    is_about_opposite,
    is_of_other_use,
    whole_secret,
)
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.people import rephrase_for_user
from remem.core.answers.relatives import by_mention
from remem.core.answers.say import asks_yes_or_no, claims_of
from remem.core.answers.sentences import SentenceSpan


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What is Olga's phone number?", "Weber", False),
        ("What is Olga's phone number?", "0160 44 12", True),
        ("How tall am I?", "quite", False),
        ("How much does the kayak weigh?", "18 kg", True),
        ("How long was the crossing?", "all night, two hours", True),
        ("How often do I water the fern?", "every Sunday", True),
        ("What is my best 5 km time?", "first", False),
        ("Who is Olga?", "Weber", True),
        ("What is 7 * 8?", "seat 7", False),
        ("How many lessons are left?", "ten", False),
        ("What is Olga's phone number?", "2", False),
        ("What phone do I have?", "a Pixel 8", True),
        ("How much did the rent rise?", "2.8 %", True),
        ("What is the area code?", "area code 20", True),
        ("What did the jars cost?", "227 g", False),
        ("What did the jars cost?", "48 for 36", True),
        ("What did I pay for the flour?", "3 euros a kg", True),
        ("What did I pay for the tickets?", "2 bags", False),
        ("What is the code of the storage unit?", "14", False),
        ("What is the code of the storage unit?", "62 euros", False),
        ("What is the code of the storage unit?", "4471", True),
        ("Wann hat Ida Geburtstag?", "Ida wohnt in Leipzig und singt", False),
        ("Wann hat Ida Geburtstag?", "am 4. Mai", True),
        ("Wann kommt Ida?", "nach den Ferien", True),
    ],
)
def test_a_question_for_a_figure_needs_a_figure(question: str, text: str, expected: bool) -> None:
    assert fits(question, text, text) is expected


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


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is my niece?", "Tilda"),
        ("What is my niece called?", "Tilda"),
        ("Who is Tilda?", "your niece"),
        ("Who is my nephew?", None),
        ("Who is Bruno?", None),
    ],
)
def test_a_relative_is_found_by_a_mention(question: str, expected: str | None) -> None:
    sources = [Source("My niece Tilda rides on Saturdays.", "memory", UUID(int=1))]
    answer = by_mention(Answer(question, "one", None, 0.0), sources)
    assert answer.text == expected
    assert bool(answer.citations) is (expected is not None)


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
    ("question", "sentence", "expected"),
    [
        ("When does lane 3 close?", "Lane 3 is used by the club from 5 to 7 pm.", True),
        ("When does lane 3 close?", "Lane 3 is for the club on Mondays from 5 to 7 pm.", True),
        ("When does the hall open?", "The choir sings in the hall at 19:00.", True),
        ("When does the pool close?", "Pool: 6:30 to 22:00 on weekdays", False),
        (
            "When does the pool close?",
            "Swimming ends when the pool shuts at 22:00.",
            False,
        ),
        ("When does the pool close?", "The pool is there until 22:00.", False),
        ("When is the concert?", "The choir sings in the hall at 19:00.", False),
    ],
)
def test_when_a_room_is_used_is_not_when_it_closes(
    question: str, sentence: str, *, expected: bool
) -> None:
    assert is_of_other_use(question, sentence) is expected


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

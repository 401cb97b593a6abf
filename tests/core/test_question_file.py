"""A file of questions: what is wrong with it and where, and when a change is a loss."""

import pytest

from remem.core.errors import Invalid
from remem.core.evaluation.score import (
    FoundSource,
    compare_ranks,
    measures,
    rank_of,
    sign_test,
)
from remem.core.question_file import Question, read_questions

FILE = """
[[question]]
ask = "When does the ferry leave?"
title = "Ferry timetable"

[[question]]
ask = "Was kostet der Platz?"
text = ["450 Euro", "450 €"]
project = "boat"
"""


def test_questions_are_read() -> None:
    first, second = read_questions(FILE)
    assert first == Question("When does the ferry leave?", titles=("Ferry timetable",))
    assert second.texts == ("450 Euro", "450 €") and second.project == "boat"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "question"),
        ("ask = 3", "ask"),
        ('[[question]]\nask = "x', "line 2"),
        ('[[question]]\nask = "x"\n', "line 1, title"),
        ('[[question]]\ntitle = "x"\n', "line 1, ask"),
        ('[[question]]\nask = "x"\ntitel = "x"', "line 3, titel"),
        (FILE + '\n[[question]]\nask = "x"\ntext = ["a", 3]', "line 13, text"),
        (FILE + '\n[[question]]\nask = "x"\nid = "a"\nmode = "slow"', "line 14, mode"),
        (FILE + '\n[[question]]\nask = "x"\nid = "a"\nproject = 3', "line 14, project"),
        ("question = 3", "question"),
        ("question = [3]", "line 1, question"),
    ],
)
def test_an_error_names_the_line_and_the_field(text: str, where: str) -> None:
    with pytest.raises(Invalid) as error:
        read_questions(text)
    assert where in error.value.message


def test_a_source_is_right_by_its_id_title_or_text() -> None:
    sources = [
        FoundSource("1", "Other", "Nothing here."),
        FoundSource("2", "Ferry Timetable", "Leaves at  9,\ncosts 450 EURO."),
    ]
    assert rank_of(Question("x", ids=("2",)), sources) == 2
    assert rank_of(Question("x", titles=("ferry timetable",)), sources) == 2
    assert rank_of(Question("x", texts=("at 9, costs",)), sources) == 2
    assert rank_of(Question("x", titles=("Ferry",)), sources) is None


def test_measures() -> None:
    assert measures([1, 2, None, 10]) == {
        "hit@1": 0.25, "hit@3": 0.5, "hit@10": 0.75, "mrr": 0.4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lost", "won", "is_loss"),
    [(4, 0, False), (5, 0, True), (10, 3, True), (9, 3, False), (0, 0, False)],
)  # fmt: skip
def test_a_loss_is_more_than_chance(lost: int, won: int, is_loss: bool) -> None:
    before = {str(n): 1 if n < lost else 5 for n in range(lost + won + 6)}
    after = {
        ask: None if int(ask) < lost else (1 if int(ask) < lost + won else 5) for ask in before
    }
    comparison = compare_ranks(before, after)
    assert (len(comparison.lost), len(comparison.won)) == (lost, won)
    assert comparison.is_loss is is_loss
    assert comparison.chance == pytest.approx(sign_test(lost, won))

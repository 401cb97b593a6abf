"""Follow-ups are understood by the question and the answer before them."""

import pytest

from remem.core.answers.follow_up import Exchange, resolve

CASES = [
    # The previous question, asked for something else.
    ("and when?", "Where did we adopt Pepper?", "Leuven", "When did we adopt Pepper?"),
    ("Where?", "When did Lena start school?", "yesterday", "Where did Lena start school?"),
    ("From where?", "When did we adopt Pepper?", "4 May", "From where did we adopt Pepper?"),
    ("When was that?", "What did Ana adopt?", "a puppy", "When did Ana adopt a puppy?"),
    ("and when exactly?", "What will Mr. Haas repair?", "the boiler",
     "When will Mr. Haas repair the boiler?"),
    ("How many?", "Which books did I read?", "Emma and Dune", "How many books did I read?"),
    ("Why?", "Did I cancel the gym?", None, "Why?"),
    ("Who with?", "Where did you hike?", "Nadrin", "With whom did you hike?"),
    ("When?", "Who called me?", "Ben", "When was it that Ben called me?"),
    # About another person, thing, place or time.
    ("And Emma?", "When did I read Dune?", "in January", "When did I read Emma?"),
    ("what about Ben?", "Where does Ana work?", "at home", "Where does Ben work?"),
    ("And Ben?", "What is Ana's job?", "nurse", "What is Ben's job?"),
    ("and Ana?", "Where do I live?", "Ghent", "Where do Ana live?"),
    ("What about in 2023?", "Where did I travel in 2021?", "Oslo", "Where did I travel in 2023?"),
    ("How about the bike?", "Where is the car?", "home", "Where is the bike?"),
    # Pronouns.
    ("Where does she live?", "What is my sister's name?", "Clara", "Where does Clara live?"),
    ("What is her name?", "Where does my sister live?", "Ghent", "What is my sister's name?"),
    ("When is her birthday?", "What is my sister's name?", "Clara", "When is Clara's birthday?"),
    ("Where is her practice?", "Who is my dentist?", "Dr. Wu", "Where is Dr. Wu's practice?"),
    ("When did I meet her in Rome?", "Who is Ana?", "a friend", "When did I meet Ana in Rome?"),
    ("When does it expire?", "Where is my passport?", "in the desk",
     "When does my passport expire?"),
    ("Who agreed to that?", "How much is the rent?", "940 euros", "Who agreed to 940 euros?"),
    ("Who lives there?", "Where did I go in May?", "Ghent", "Who lives in Ghent?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question", "answer", "expected"), CASES)
def test_a_follow_up_is_understood(
    text: str, question: str, answer: str | None, expected: str
) -> None:
    assert resolve(text, Exchange(question, answer)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Where does Tom work?",
        "What is the name of the hotel that Ana booked for the trip to Lisbon in May?",
        "Is there a ferry?",
        "",
        "?",
        "日本に行ったのはいつ？",
    ],
)
def test_a_complete_question_stays_unchanged(text: str) -> None:
    assert resolve(text, Exchange("When did Ana adopt a puppy?", "12 May")) == text


def test_without_a_previous_question_nothing_changes() -> None:
    assert resolve("and when?", None) == "and when?"

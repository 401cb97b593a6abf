"""Which statements are distilled from speech and writing, and which are left out."""

from datetime import UTC, datetime

import pytest

from remem.core.judgements import Passage, Statement
from remem.core.language.person import USER
from remem.core.memories.rules import distil as rules
from remem.core.memories.rules.distil import STATEMENTS_LIMIT, WITHOUT_SPEAKER_LIMIT, distil
from remem.core.memories.rules.worth import Worth, score_sentence

SAID_AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def distilled(
    text: str, speaker: str = "Caroline", said_at: datetime | None = SAID_AT
) -> list[Statement]:
    return distil([Passage(text, 0, speaker, said_at)])


def contents(text: str, speaker: str = "Caroline", said_at: datetime | None = SAID_AT) -> list[str]:
    return [statement.content for statement in distilled(text, speaker, said_at)]


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I moved to Berlin last week.", "episode", "I moved to Berlin last week."),
        ("I went to a support group yesterday and it was so powerful.", "episode",
         "I went to a support group yesterday and it was so powerful."),
        ("I'm allergic to most animals with fur.", "fact",
         "I'm allergic to most animals with fur."),
        ("Wow, Mel! I really love painting with my kids.", "preference",
         "I really love painting with my kids."),
        ("My favourite book is Middlemarch.", "preference", "My favourite book is Middlemarch."),
        ("We decided to use PostgreSQL.", "decision", "We decided to use PostgreSQL."),
        ("I need to send the report by next Friday.", "task",
         "I need to send the report by next Friday."),
        ("I'm gonna apply to medical school.", "task", "I'm gonna apply to medical school."),
        ("I've been studying Portuguese.", "fact", "I've been studying Portuguese."),
        ("Oh hey, well, I live in Porto and work as a nurse, haha", "fact",
         "I live in Porto and work as a nurse"),
        ("By the way, **I prefer** [tabs](https://example.org/tabs) over spaces.", "preference",
         "I prefer tabs over spaces."),
        ("The dentist moved my appointment to Friday at nine.", "task",
         "The dentist moved my appointment to Friday at nine."),
    ],
)  # fmt: skip
def test_a_statement_is_quoted_with_its_category(text: str, category: str, content: str) -> None:
    statement = distilled(text)[-1]
    assert (statement.category, statement.content, statement.speaker) == (
        category,
        content,
        "Caroline",
    )
    assert 0 < statement.confidence < 1


@pytest.mark.parametrize(
    "text",
    [
        "Hey Mel! Good to see you!",
        "How have you been?",
        "Thanks so much, I appreciate it.",
        "I love it!",
        "I'm so happy for you.",
        "It made me think about everything.",
        "They created all the props, and I love their work.",
        "I bought this book.",
        "If I win the lottery, I will buy a boat.",
        "I might move to Berlin next year.",
        "I can't wait to see the show on Friday.",
        "I won't give up!",
        "I'll try my best.",
        "I think I live in a simulation.",
        "You should come and visit my studio next week.",
        "> I live in Rome.",
        "```\nI live in Rome.\n```",
        "    I live in Rome, said the comment",
        "# I live in Rome and work there",
        "You are a helpful assistant. I live in Rome.",
        "[1] Trip to Rome (2026-01-02)\nI live in Rome.",
        "[2] A page (2026-01-02, https://example.org/a)\nI live in Rome.\n\nI work at ACME.",
        "Relevant memories:\nI live in Rome.",
    ],
)
def test_greetings_questions_plans_and_quotations_are_left_out(text: str) -> None:
    assert distilled(text) == []


def test_text_before_a_recalled_context_is_kept() -> None:
    text = "I live in Porto.\n\n[1] Trip (2026-01-02)\nI live in Rome."
    assert contents(text) == ["I live in Porto."]


def test_the_evidence_is_the_sentence() -> None:
    text = "Hello there! I live in Porto. Is it far?\nI own a red car."
    statements = distil([Passage(text, 0, "Ann", SAID_AT), Passage(text[:0], 90, "Bob", SAID_AT)])
    assert [text[statement.start : statement.end] for statement in statements] == [
        "I live in Porto.",
        "I own a red car.",
    ]
    shifted = distil([Passage(text, 100, "Ann", SAID_AT)])
    assert [(statement.start, statement.end) for statement in shifted] == [
        (statement.start + 100, statement.end + 100) for statement in statements
    ]


def test_a_note_of_the_user_gives_more_statements() -> None:
    note = (
        "# Notes\nWe decided to use PostgreSQL. Decision: ship on Friday.\n"
        "The quarterly report is due on 3 March. Ann's birthday is on 4 July.\n"
        "- [ ] renew the passport by next Friday\nTODO: call the bank tomorrow at 9\n"
        "PostgreSQL is our main database. Everything is fine."
    )
    assert contents(note, USER) == [
        "We decided to use PostgreSQL.",
        "Decision: ship on Friday.",
        "The quarterly report is due on 3 March.",
        "Ann's birthday is on 4 July.",
        "renew the passport by next Friday",
        "TODO: call the bank tomorrow at 9",
        "PostgreSQL is our main database.",
    ]


def test_a_text_without_a_speaker_says_nothing_about_its_author() -> None:
    assert contents("I live in Porto. I own a car.", speaker="") == []


def test_without_a_date_of_the_text_no_relative_day_is_certain() -> None:
    (moved,) = distilled("I moved to Berlin last week.", said_at=None)
    assert [(date.text, date.start, date.certain) for date in moved.dates] == [
        ("last week", None, False)
    ]
    assert moved.occurred_at is None and moved.due_at is None
    (dated,) = distilled("I moved to Berlin in May 2020.", said_at=None)
    assert [(date.text, date.certain) for date in dated.dates] == [("May 2020", True)]


def test_times_are_stored_beside_the_words() -> None:
    episode, task = distilled("I moved to Berlin yesterday. I need to call Ann tomorrow at 9.")
    assert episode.occurred_at == datetime(2023, 5, 7, tzinfo=UTC)
    assert task.due_at == datetime(2023, 5, 9, 9, tzinfo=UTC)
    assert task.occurred_at is None


def test_the_number_of_statements_is_limited() -> None:
    text = " ".join(f"I own a boat number {n}." for n in range(200))
    statements = distilled(text)
    assert len(statements) == STATEMENTS_LIMIT
    assert [statement.start for statement in statements] == sorted(
        statement.start for statement in statements
    )


def test_a_repeated_statement_is_given_once() -> None:
    assert len(distilled("I live in Porto. Yes, I live in Porto.")) == 1


def test_the_same_words_of_two_speakers_are_two_statements() -> None:
    passages = [
        Passage("I live in Porto.", 0, "Ann", SAID_AT),
        Passage("I live in Porto.", 50, "Bo"),
    ]
    assert [statement.speaker for statement in distil(passages)] == ["Ann", "Bo"]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Anna likes hiking and is allergic to peanuts.", "preference"),
        ("I drink coffee every morning.", "fact"),
        ("We deploy on Docker.", "fact"),
        ("My passport number is P1234567.", "fact"),
        ("The wifi password is hunter2.", "fact"),
        ("Bob is Anna's brother.", "fact"),
        ("I have two cats.", "fact"),
        ("I'm planning to visit Kyoto in the spring.", "task"),
        ("We agreed to ship on Mondays.", "decision"),
        ("My sister's number is 0171 555 0192.", "fact"),
        ("Use pnpm, not npm.", "fact"),
    ],
)
def test_likes_habits_things_plans_relations_and_numbers_are_kept(text: str, category: str) -> None:
    assert [(statement.content, statement.category) for statement in distilled(text, USER)] == [
        (text, category)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I'm looking for throw pillows.",
        "I'm looking for some recommendations on waterproof cameras.",
        "Can you help me plan my week",
        "I'd like to know more about the casting process.",
        "I need help with my budget.",
        "I'm thinking about getting a new phone.",
        "That's great!",
        "He did it yesterday.",
        "Connecting with people is key.",
        "I'm not gonna let anything stop me.",
        "Written by Grace Hopper on 5 May 2020.",
        "Sounds like a wonderful trip!",
        "I've got another question about WhatsApp.",
        "The room was electric with energy and support!",
        "The Eiffel Tower is so cool!",
        "I've been having some issues with that lately.",
        "I've attached my current resume and LinkedIn profile.",
        "Perks: Free 3-day festival pass, meals, and a volunteer t-shirt",
        "A lot's happened since we talked.",
    ],
)
def test_requests_and_small_talk_are_left_out(text: str) -> None:
    assert distil([Passage(text, 0, "Ann", SAID_AT, spoken=True)]) == []


def test_a_sentence_about_her_is_quoted_with_the_one_that_names_her() -> None:
    text = "Say hello to my sister Mia. She works as a pilot for a small airline."
    assert contents(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "I went to a writing workshop in Leeds in May. It was a two-day course, and I paid $200.",
        "We bought a tandem from a neighbour in April. I've been using it for my commute since.",
        "I signed up for the aerial yoga course in town. I paid $20 to attend.",
    ],
)
def test_a_sentence_that_refers_back_is_quoted_with_the_one_before(text: str) -> None:
    (statement,) = distil([Passage(text, 7, "Ann", SAID_AT, spoken=True)])
    assert (statement.content, statement.start, statement.end) == (text, 7, 7 + len(text))
    assert statement.before == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Sorry about your job, Jon! I sold it to my sister in Leeds for 90 euros last year.",
            "I sold it to my sister in Leeds for 90 euros last year.",
        ),
        (
            "I'm passionate about dancing and it brings me joy. I lost my job at Acme this month.",
            "I lost my job at Acme this month.",
        ),
    ],
)
def test_a_sentence_is_not_joined_to_one_that_explains_nothing(text: str, expected: str) -> None:
    statements = distil([Passage(text, 0, "Ann", SAID_AT, spoken=True)])
    assert expected in [statement.content for statement in statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A lot's happened since we last spoke - I joined a choir.", "I joined a choir."),
        ("Since we last talked, I moved to Leeds.", "I moved to Leeds."),
        ("I've got some great news to share - I joined a gym!", "I joined a gym!"),
    ],
)
def test_small_talk_is_cut_from_the_beginning(text: str, expected: str) -> None:
    statements = distil([Passage(text, 0, "Ann", SAID_AT, spoken=True)])
    assert [statement.content for statement in statements] == [expected]


def test_a_day_in_a_past_sentence_is_in_the_past() -> None:
    text = "My offer for the condo on February 15th was rejected due to a higher bid."
    (statement,) = distil([Passage(text, 0, "user", datetime(2023, 3, 8, tzinfo=UTC), spoken=True)])
    assert statement.category == "episode"
    assert statement.due_at is None
    assert [f"{date.start:%Y-%m-%d}" for date in statement.dates if date.start] == ["2023-02-15"]


def test_a_reply_is_kept_with_what_was_said_before_it() -> None:
    passages = [
        Passage("Which event did you go to last week?", 0, "Mel", SAID_AT, spoken=True),
        Passage(
            "It was a poetry reading in Oslo with 40 people.", 40, "Caro", SAID_AT, spoken=True
        ),
    ]
    (statement,) = distil(passages)
    assert statement.content == "It was a poetry reading in Oslo with 40 people."
    assert statement.before == "Mel: Which event did you go to last week?"


def test_a_page_without_a_speaker_gives_few_statements() -> None:
    text = " ".join(f"The Rhine at Basel rose by {n} cm in May 19{n}." for n in range(10, 90))
    assert 0 < len(distil([Passage(text, 0)])) <= WITHOUT_SPEAKER_LIMIT


@pytest.mark.parametrize(
    "text",
    [
        "git rebase --onto main feature~3 feature",
        "Undo the last three commits: git reset --soft HEAD~3",
        "- docker compose up -d --build web",
        "`kubectl rollout restart deployment/web -n staging`",
        "npm run build && npm test",
        "frobnicate --level 3 archive.bin",
        "make clean all",
    ],
)
def test_terminal_commands_are_left_out(text: str) -> None:
    assert contents(text, USER) == []


@pytest.mark.parametrize(
    "text",
    [
        "docker runs on our NAS at home.",
        "git is what my brother and I use for the novel.",
        "I use vim -- always have -- for my notes.",
        "Use git rebase --onto main to move a branch.",
    ],
)
def test_a_sentence_about_a_command_is_prose(text: str) -> None:
    assert contents(text, USER) == [text]


@pytest.mark.parametrize(
    "text",
    [
        '"I hate Mondays", said Ruben.',
        "“I love sushi,” Mia told me at lunch.",
        '"We are moving to Oslo in March," my sister wrote.',
        'Ruben said: "I never eat meat."',
        "'I own three boats', says Tom.",
        "„I prefer tea“, insisted Oma.",
        '"I hate Mondays. I never work on those days", said Ruben.',
        '"I own three boats" (Tom)',
    ],
)
def test_quoted_speech_of_somebody_else_is_left_out(text: str) -> None:
    assert contents(text, USER) == []


@pytest.mark.parametrize(
    "text",
    [
        'I watched "I am Legend" with Tom last night.',
        'I bought the 27" monitor and a 32" one for my brother.',
        "Tom's dog and Mia's cat sleep at my sister's house.",
        "Ruben said that he hates Mondays.",
    ],
)
def test_titles_inches_and_apostrophes_are_not_speech(text: str) -> None:
    assert contents(text, USER) == [text]


CERTIFICATE = (
    "Warranty certificate\nWashing machine Miele WWD 120, serial number 4471-AX-208\n"
    "Bought at Euronics Leipzig on 3 March 2025 for EUR 1,049.00\n"
    "The warranty of the machine ends on 3 March 2030."
)


@pytest.mark.parametrize("speaker", ["", USER])
def test_separate_lines_are_not_joined(speaker: str) -> None:
    statements = contents(CERTIFICATE, speaker)
    assert set(statements) <= set(CERTIFICATE.split("\n"))
    assert "Bought at Euronics Leipzig on 3 March 2025 for EUR 1,049.00" in statements


def test_notes_without_full_stops_are_one_statement_a_line() -> None:
    note = "Kofi's birthday is 23 September\nLena wants a guitar\nI'm allergic to peanuts"
    assert contents(note, USER) == note.split("\n")


def test_a_wrapped_sentence_is_joined() -> None:
    text = (
        "We moved to Porto in the spring because the rents in Lisbon had become far too\n"
        "high for us. On Sundays we have lunch at the house of my old friend and mentor\n"
        "Tom Weber, whose cousins live in the same street as my sister and her husband\n"
        "Paulo."
    )
    assert [statement.content for statement in distilled(text, USER)] == [
        "We moved to Porto in the spring because the rents in Lisbon had become far too high for"
        " us.",
        "On Sundays we have lunch at the house of my old friend and mentor Tom Weber, whose cousins"
        " live in the same street as my sister and her husband Paulo.",
    ]


def test_a_sentence_that_repeats_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []

    def count(quote: str, **options: bool) -> Worth:
        judged.append(quote)
        return score_sentence(quote, **options)

    monkeypatch.setattr(rules, "score_sentence", count)
    [statement] = rules.distil([Passage("My locker has the number 24. " * 500, 0, "user")])
    assert (statement.content, statement.start) == ("My locker has the number 24.", 0)
    assert len(judged) < 10

"""The limits of the rules for English: each number has a text that is read differently when the
number is doubled."""

from datetime import UTC, datetime, timedelta

import pytest

from remem.core.language import detect
from remem.core.language.claims.conditions import says_more_than_slot
from remem.core.language.claims.openings import move_opening_time
from remem.core.language.claims.parse import parse
from remem.core.language.detect import language_of
from remem.core.language.names.forms import normalise
from remem.core.language.names.mentions import entities_in
from remem.core.language.prose.commands import is_command
from remem.core.language.prose.lines import separate_lines
from remem.core.language.prose.quotations import is_of_other_speaker, quotations
from remem.core.language.prose.quote import quote_sentence
from remem.core.language.quantities import kind_of
from remem.core.language.sentences import sentences
from remem.core.language.times import options
from remem.core.language.times.heading import heading_day
from remem.core.language.times.mentions import mentions_time
from remem.core.language.times.options import read_span
from remem.core.language.times.queries import windows_of
from remem.core.language.times.spelling import intended_word
from remem.core.language.times.statements import times_in
from remem.core.language.times.tense import notes_event
from remem.core.language.times.wording import moment_at
from remem.core.language.tokens import query_terms
from remem.core.language.words import words

# A Wednesday.
NOW = datetime(2026, 11, 11, 12, tzinfo=UTC)
MIDNIGHT = NOW.replace(hour=0)


def day(days: float) -> datetime:
    return MIDNIGHT + timedelta(days=days)


# Claims


@pytest.mark.parametrize(
    ("opening", "first"),
    [("in the last few past weeks", "i"), ("in the last few of these past weeks", "in")],
)
def test_an_opening_time_of_at_most_six_words_is_moved_to_the_end(opening: str, first: str) -> None:
    assert move_opening_time(words(f"{opening} I moved"))[0].low == first


@pytest.mark.parametrize(
    ("few", "many"),
    [
        ("I like tea. " * 12, "I like tea. " * 13),
        (f"I like {'tea ' * 78}", f"I like {'tea ' * 79}"),
        (f"I like t{'e' * 3_992}", f"I like t{'e' * 3_993}"),
    ],
)
def test_a_text_that_is_too_long_for_some_facts_has_none(few: str, many: str) -> None:
    assert parse(few)
    assert not parse(many)


def test_six_words_beside_the_slot_are_extra_details() -> None:
    new = parse("I live in Oslo")[0]
    for count, has_extra_details in ((5, False), (6, True)):
        old = parse(f"I live in Rome with {' '.join(['cats'] * count)}")[0]
        assert old.slot and says_more_than_slot(old.slot, new) is has_extra_details


@pytest.mark.parametrize(("number", "is_phone"), [("123456", True), ("12345", False)])
def test_a_number_of_six_digits_is_a_phone_number(number: str, is_phone: bool) -> None:
    slot = parse(f"My number is {number}")[0].slot
    assert slot and ("phone" in slot.relation) is is_phone


# Names


def test_a_name_has_at_most_two_hundred_characters() -> None:
    assert len(normalise("x" * 500)) == 200


def test_at_most_twenty_names_are_found() -> None:
    assert len(entities_in(" ".join(f"I met Dr. Zagwell{chr(97 + n)}." for n in range(26)))) == 20


@pytest.mark.parametrize("count", [6, 9])
def test_a_name_has_six_words(count: int) -> None:
    (entity,) = entities_in(f"I saw {' '.join(['Zagwell'] * (count - 1))} Foundation there.")
    assert len(entity.name.split()) == 6


@pytest.mark.parametrize(("name", "is_name"), [("Zag", True), ("Za", False)])
def test_an_unknown_name_has_three_letters(name: str, is_name: bool) -> None:
    assert bool(entities_in(f"Yesterday we saw {name} there.")) is is_name


# Prose


def test_four_hundred_characters_of_a_line_are_read_for_a_command() -> None:
    assert not is_command(f"pour {'zig ' * 100}-rf")
    assert is_command(f"pour {'zig ' * 90}-rf")


def test_lines_of_less_than_fifty_characters_are_not_running_text() -> None:
    short = "The quick brown fox jumps over the lazy old\nZagwell dog. It ran."
    assert separate_lines(short)
    long = "The quick brown fox jumps over the lazy old grumpy\nZagwell dog. It ran."
    assert not separate_lines(long)


@pytest.mark.parametrize(("chars", "is_quoted"), [(600, True), (601, False)])
def test_a_quotation_has_six_hundred_characters(chars: int, is_quoted: bool) -> None:
    assert bool(quotations(f'He said "{"x" * chars}" there')) is is_quoted


@pytest.mark.parametrize(
    ("beside", "is_of_other"), [("on that old wall", True), ("on the very old wall", False)]
)
def test_the_speaker_of_a_quotation_is_at_most_four_words_away(
    beside: str, is_of_other: bool
) -> None:
    text = f'"I am ill" {beside}'
    assert is_of_other_speaker(text, (0, len(text)), quotations(text)) is is_of_other


@pytest.mark.parametrize(("count", "remaining"), [(6, 0), (8, 2)])
def test_at_most_six_words_are_trimmed_from_the_edges(count: int, remaining: int) -> None:
    assert quote_sentence("I moved to Oslo" + " lol" * count).count("lol") == remaining


@pytest.mark.parametrize(("digits", "kind"), [(24, "number"), (25, None)])
def test_a_number_has_twenty_four_characters(digits: int, kind: str | None) -> None:
    assert kind_of(words(f"so {'7' * digits} here")[1]) == kind


def test_an_abbreviation_has_at_most_sixteen_characters() -> None:
    assert len(sentences("I met Dr. Zagwell there.")) == 1
    assert len(sentences(f"The {'x.' * 8} Zagwell is here.")) == 1
    assert len(sentences(f"The {'x.' * 10} Zagwell is here.")) == 2


# Times


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("what did I do on 3 May 2026", -193, -184),
        ("what did I do last Friday", -5.5, -1),
        ("what did I do yesterday", -1.5, 1),
        ("what did I do the day before yesterday", -2.5, 0),
        ("what did I do today", -0.2, 1.2),
        ("what did I do 3 days ago", -4, -1),
        ("what did I do two weeks ago", -17.5, -9.5),
        ("what did I do ten months ago", -304 - 45.6, -304 + 46.6),
        ("what did I do three years ago", -3 * 365.2 - 182.6, -3 * 365.2 + 183.6),
    ],
)
def test_the_window_of_a_query(query: str, start: float, end: float) -> None:
    ((first, last),) = windows_of(query, NOW)
    assert ((first - MIDNIGHT) / timedelta(days=1), (last - MIDNIGHT) / timedelta(days=1)) == (
        pytest.approx((start, end))
    )


@pytest.mark.parametrize(
    ("query", "reach"),
    [("last week", 15), ("last month", 61.8), ("last year", 731.4), ("last weekend", 5)],
)
def test_how_far_back_a_period_reaches(query: str, reach: float) -> None:
    ((first, last),) = windows_of(f"what did I do {query}", NOW)
    assert (MIDNIGHT - first) / timedelta(days=1) == pytest.approx(reach)
    assert last == NOW + timedelta(days=1)


def test_last_night_is_yesterday_or_the_day_before() -> None:
    assert (day(-2), NOW + timedelta(days=1)) in windows_of("what did I do last night", NOW)


def test_a_month_without_a_year_is_of_this_year_or_the_three_before() -> None:
    assert len(windows_of("what did I do in April", NOW)) == 4


def test_a_thousand_characters_of_a_query_are_read_for_times() -> None:
    assert windows_of("x" * 980 + " yesterday", NOW)
    assert not windows_of("x" * 995 + " yesterday", NOW)


def test_windows_stay_within_the_calendar() -> None:
    ((first, _),) = windows_of("what was on 0001-01-01", NOW)
    ((_, last),) = windows_of("what was on 9999-12-31", NOW)
    assert first == datetime(1, 1, 2, tzinfo=UTC)
    assert last == datetime(9999, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("time", "clock"),
    [
        ("tomorrow at 7", 7),
        ("tomorrow at 6", 18),
        ("tomorrow at twelve", 12),
        ("tomorrow at one", 13),
        ("tomorrow at eight fifteen", 8.25),
        ("tomorrow at eight thirty", 8.5),
        ("tomorrow at eight forty-five", 8.75),
        ("at 10 am tomorrow", 10),
        ("at twelve forty-five o'clock, tomorrow", 12.75),
        ("at eight forty-five tomorrow", 8.75),
    ],
)
def test_the_time_of_day(time: str, clock: float) -> None:
    (stated,) = times_in(f"I leave {time}.", NOW)
    assert (stated.first - day(1)) / timedelta(hours=1) == clock


@pytest.mark.parametrize(
    ("which", "days"), [("last", -9), ("past", -9), ("previous", -9), ("next", 5), ("coming", 5)]
)
def test_which_week_is_meant(which: str, days: int) -> None:
    (stated,) = times_in(f"It is in the {which} week.", NOW)
    assert stated.first == day(days)


def test_there_is_no_thirteenth_hour_in_words() -> None:
    (stated,) = times_in("I leave tomorrow at thirteen.", NOW)
    assert stated.grain == "day"


@pytest.mark.parametrize(("chars", "is_event"), [(49, True), (50, False)])
def test_a_note_of_sixty_characters_with_a_time_is_an_event(chars: int, is_event: bool) -> None:
    assert notes_event(f"Choir 7 pm {'x' * chars}") is is_event


def test_at_the_latest_before_a_date_makes_it_a_limit() -> None:
    (stated,) = times_in("Pay it at the latest by 3 May 2027.", NOW)
    assert stated.limit


@pytest.mark.parametrize("number", ["one", "ten"])
def test_numbers_up_to_ten_count_as_a_time(number: str) -> None:
    assert mentions_time(f"it was {number} weeks ago")
    assert not mentions_time("it was eleven weeks ago")


@pytest.mark.parametrize(("text", "back_s"), [("30 minutes ago", 1_800), ("2 hours ago", 7_200)])
def test_a_time_option_in_hours(text: str, back_s: int) -> None:
    assert read_span(text, NOW) == (NOW - timedelta(seconds=back_s),) * 2
    assert read_span(f"{text}{' ' * 200}", NOW) and not read_span(f"{'x' * 100} {text}", NOW)


def test_a_time_option_of_more_than_a_hundred_characters_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths: list[int] = []
    monkeypatch.setattr(options, "_moment", lambda text, _: lengths.append(len(text)))
    assert not read_span("x" * 100, NOW)
    assert not read_span("x" * 101, NOW)
    assert lengths == [100]


@pytest.mark.parametrize(("date", "is_of"), [("12 Nov 2026", True), ("13 Nov 2026", False)])
def test_the_date_of_a_heading_is_tomorrow_at_the_latest(date: str, is_of: bool) -> None:
    assert bool(heading_day(f"Retro, {date}\nWe moved.", NOW)) is is_of


@pytest.mark.parametrize(("word", "meant"), [("augst", "august"), ("mrach", None)])
def test_only_time_words_of_at_least_six_letters_are_corrected(
    word: str, meant: str | None
) -> None:
    assert intended_word(word) == meant
    assert intended_word("auguust") == "august"


def test_four_thousand_characters_of_a_statement_are_read_for_times() -> None:
    assert times_in("x" * 3_980 + " on 3 May 2026", NOW)
    assert not times_in("x" * 4_010 + " on 3 May 2026", NOW)


@pytest.mark.parametrize(("between", "is_near"), [(190, True), (210, False)])
def test_a_time_counts_within_two_hundred_characters(between: int, is_near: bool) -> None:
    text = f"It was on 3 May 2026{' ' * between}here"
    assert bool(moment_at(text, len(text) - 4, len(text), NOW)) is is_near


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("last week", "the week before 11 November 2026"),
        ("last weekend", "the weekend before 11 November 2026"),
        ("two weeks ago", "the week of 26 October 2026"),
    ],
)
def test_how_weeks_are_written(time: str, text: str) -> None:
    sentence = f"We met {time}."
    moment = moment_at(sentence, 7, len(sentence) - 1, NOW)
    assert moment and moment.text == text


@pytest.mark.parametrize(("between", "is_counted"), [(150, True), (250, False)])
def test_a_time_counted_from_now_belongs_to_its_clause(between: int, is_counted: bool) -> None:
    text = f"I will {'x' * between} pay within ten days."
    assert bool(times_in(text, NOW)) is is_counted


# Words


def test_a_term_has_sixty_four_characters() -> None:
    assert [len(term) for term in query_terms("x" * 200)] == [64]


@pytest.mark.parametrize(("chars", "is_known"), [(40, True), (41, False)])
def test_a_word_of_more_than_forty_characters_is_an_address(chars: int, is_known: bool) -> None:
    word = words(f"at {'X' * chars}")[1]
    assert word.named is is_known


# Languages


class Identifier:
    """Identifies every text as Finnish, with a fixed confidence."""

    def __init__(self, confidence: float) -> None:
        self.confidence, self.chars = confidence, 0

    def classify(self, sample: str) -> tuple[str, float]:
        self.chars = len(sample)
        return "fi", self.confidence


@pytest.mark.parametrize(
    ("letters", "confidence", "language"),
    [
        (11, 0.99, None),
        (13, 0.85, "fi"),
        (20, 0.7, None),
        (30, 0.7, "fi"),
        (30, 0.5, None),
    ],
)
def test_the_confidence_that_a_language_needs(
    letters: int, confidence: float, language: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "_identifier", lambda: Identifier(confidence))
    assert language_of("q" * letters) == language


def test_a_thousand_letters_are_classified(monkeypatch: pytest.MonkeyPatch) -> None:
    identifier = Identifier(0.9)
    monkeypatch.setattr(detect, "_identifier", lambda: identifier)
    assert language_of("q" * 3_000) == "fi" and identifier.chars == 1_000


def test_the_language_is_that_of_the_first_four_thousand_characters() -> None:
    english = ("the cat is on the mat and " * 200)[:4_000]
    assert language_of(english + "\u4e2d" * 4_000) == "en"

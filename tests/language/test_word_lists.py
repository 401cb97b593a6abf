"""Every row of every word list changes how a text is read, so that no row is lost unnoticed.

rows.toml has the expected rows. READINGS has a function for each list that is true of a row only if
the row is in the list. Lists without one are compared with the loaded rows."""

import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from remem.core.answers.in_other_languages import is_no_time_or_place
from remem.core.answers.yes_no_endings import is_only_wished, is_over
from remem.core.answers.yes_no_question import read_question
from remem.core.language import lists, vocabulary
from remem.core.language.claims import attributes
from remem.core.language.claims.exceptions import exceptions_in
from remem.core.language.claims.limited import limits_of, starts_later
from remem.core.language.claims.mood import extract_mood as mood_of
from remem.core.language.claims.news import announces_change, announces_news, is_unsure
from remem.core.language.claims.outcomes import condition_in, governed_in, is_doubtful
from remem.core.language.claims.places import begins_with_place
from remem.core.language.claims.value_kinds import is_country, kinds_of
from remem.core.language.headings import topic_terms
from remem.core.language.names import lexicon
from remem.core.language.names.mentions import entities_in
from remem.core.language.numbers import count_in, read_count
from remem.core.language.prose.commands import is_command
from remem.core.language.sentences import sentences
from remem.core.language.stopwords import EMPTY_WORDS, STOP_WORDS
from remem.core.language.times.queries import windows_of
from remem.core.language.times.spelling import correct
from remem.core.language.times.statements import times_in
from remem.core.language.tokens import query_terms
from remem.core.language.words import stem, words
from remem.core.memories.rules.dates import certain_times, due_of
from remem.core.memories.rules.sameness.tense import tense_of

Reading: TypeAlias = Callable[[str], object]
NOW = datetime(2026, 11, 11, 12, tzinfo=UTC)
ROWS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("rows.toml").read_text("utf-8")
)
# Tables of several languages, and words of rules that texts test as a whole.
TESTED_BY_TEXTS = {
    "any/abbreviations", "any/cancelled", "any/conjunctions", "any/frames", "any/identifiers",
    "any/months",
    "any/nouns", "any/person", "any/query_words", "any/secrets", "any/talk", "any/times",
    "any/validity",
    "en/instructions", "en/labels", "en/transfers",
}  # fmt: skip
# Lists with one row per line.
LINES = {
    "months", "weekdays", "turn_phrases", "news_phrases", "planned", "added_phrases", "for_good",
    "opposite", "opposite_verbs", "of_others",
    "irregular", "synonyms", "relations", "seasons", "cardinals", "scales", "ordinals", "counts",
    "vague", "limited_phrases", "beginnings", "contractions", "endings", "irregular_nouns",
    "past_forms", "slips", "exception_openers",
}  # fmt: skip


def _is_named(kind: str, text: str) -> bool:
    return any(mention.type == kind for mention in entities_in(text))


def _is_month(row: str) -> bool:
    """Whether all forms of a month are read as the same month."""
    months = [times_in(f"We met on 3 {form} 2021.", NOW)[0].first.month for form in row.split()]
    return len(set(months)) == 1


def _is_weekday(row: str) -> bool:
    days = [times_in(f"We met last {form}.", NOW)[0].first.weekday() for form in row.split()]
    return len(set(days)) == 1 and bool(windows_of(f"what did I do last {row.split()[0]}", NOW))


def _is_season(row: str) -> bool:
    name, month = row.split(" = ")
    return times_in(f"We met last {name}.", NOW)[0].first.month == int(month)


def _is_slip(row: str) -> bool:
    word, *slips = row.split()
    return all(correct(f"so {slip} it is").text == f"so {word} it is" for slip in slips)


def _is_due(text: str) -> bool:
    return due_of(text, certain_times(text, NOW), NOW) is not None


def _is_number(row: str) -> bool:
    word, number = row.split(" = ")
    return count_in(word) == int(number)


def _is_vague_number(row: str) -> bool:
    word, number = row.split(" = ")
    return read_count(word) == (int(number), False)


def _has_one_stem(row: str) -> bool:
    base, *forms = row.split()
    return all(stem(form) == stem(base) for form in forms)


def _is_past(row: str) -> bool:
    base, *forms = row.split()
    sentences_with_forms = [words(f"so they {form} it") for form in forms]
    return all(base in tense_of("", sentence).base_forms for sentence in sentences_with_forms)


def _are_synonyms(row: str) -> bool:
    first, *others = row.split()
    return all(attributes.canonical(stem(word)) == stem(first) for word in others)


def _is_contraction(row: str) -> bool:
    """Whether a contraction is read as the words it abbreviates."""
    short, full = row.split(" = ")
    return [word.low for word in words(f"so {short} here")][1:-1] == full.split()


def _is_ending(row: str) -> bool:
    ending, full = row.split(" = ")
    return [word.low for word in words(f"so zig{ending} here")][1:-1] == ["zig", full]


def _verbs_have_relation(row: str) -> bool:
    """Whether every verb, with its preposition, has the relation and its number of values."""
    name, arity, verbs = row.split(": ")
    for phrase in verbs.split(", "):
        *head, last = [stem(word) for word in phrase.split()]
        prepositional = bool(head) and phrase.split()[-1] in attributes.PREPOSITIONS
        frame = attributes.verb_frame(
            " ".join(head if prepositional else [*head, last]), last if prepositional else ""
        )
        expected = " ".join([*head, last]) if name in ("doing", "ability") else stem(name)
        if frame != (expected, arity):
            return False
    return True


def _mood_of(text: str) -> Any:
    return mood_of(words(text))[1]


def _is_over(question: str, text: str) -> bool:
    yes_no_question = read_question(question, NOW)
    return yes_no_question is not None and is_over(yes_no_question, text)


def _is_wished(text: str) -> bool:
    yes_no_question = read_question("Has Zig seen Japan?", NOW)
    return yes_no_question is not None and is_only_wished(yes_no_question, text)


def _outcome_of(text: str) -> str | None:
    governed = governed_in(words(text))
    return governed.outcome if governed else None


def _is_place(row: str) -> bool:
    return begins_with_place(words(f"to {row.replace('_', ' ')}")[1:])


READINGS: dict[str, Reading] = {
    "en/calendar months": _is_month,
    "en/calendar weekdays": _is_weekday,
    "en/calendar seasons": _is_season,
    "en/calendar parts_of_day": lambda row: times_in(f"I ran this {row}.", NOW),
    "en/calendar also_words": lambda row: not windows_of(f"do you {row} there", NOW),
    "en/calendar slips": _is_slip,
    "en/numbers cardinals": _is_number,
    "en/numbers ordinals": _is_number,
    "en/numbers counts": _is_number,
    "en/numbers vague": _is_vague_number,
    "en/numbers articles": lambda row: times_in(f"We met {row} week ago.", NOW),
    "en/duties orders": lambda row: _is_due(f"{row} the thing by 3 May."),
    "en/duties finished": lambda row: _is_due(f"{row} the thing until 3 May."),
    "en/duties attended": lambda row: _is_due(f"Next {row} 3 December 2026"),
    "en/duties services": lambda row: _is_due(f"The {row} moved it to 3 December 2026."),
    "en/duties happens": lambda row: _is_due(f"I {row} on 3 December."),
    "en/duties occasions": lambda row: _is_due(f"{row.replace('-', ' ')} on 3 December"),
    "en/duties windows": lambda row: _is_due(f"The {row.replace('-', ' ')} closes on 3 December."),
    "en/exceptions exception_openers": lambda row: exceptions_in(f"I eat {row} zig").left_out,
    "en/exceptions wholes": lambda row: exceptions_in(f"So {row} zag but Zig came").left_out,
    "en/exceptions after_not": lambda row: not exceptions_in(f"I eat zag but not {row}").left_out,
    "en/forms irregular": _has_one_stem,
    "en/forms irregular_nouns": _has_one_stem,
    "en/forms past_forms": _is_past,
    "en/forms contractions": _is_contraction,
    "en/forms endings": _is_ending,
    "en/attributes synonyms": _are_synonyms,
    "en/attributes relations": _verbs_have_relation,
    "en/attributes many_nouns": lambda row: stem(row) in attributes.MANY_NOUNS,
    "en/attributes one_nouns": lambda row: stem(row) in attributes.ONE_NOUNS,
    "en/attributes verbs": lambda row: stem(row) in attributes.VERBS,
    "en/places towns": _is_place,
    "en/places regions": _is_place,
    "en/places countries": lambda row: _is_place(row) and is_country(words(f"to {row}")[1:]),
    "en/mood negators": lambda row: _mood_of(f"I am {row} there").denied,
    "en/mood changed": lambda row: _mood_of(f"I am {row} there").changed,
    "en/mood supposed": lambda row: _mood_of(f"I {row} there").supposed,
    "en/mood noise": lambda row: row not in [w.low for w in mood_of(words(f"I am {row} in"))[0]],
    "en/outcomes undone": lambda row: _outcome_of(f"so Zig was {row} to sell it") == "undone"
    or _outcome_of(f"so Zig was {row} selling it") == "undone",
    "en/outcomes done_if_denied": lambda row: _outcome_of(f"I did not {row} to sell it") == "done",
    "en/outcomes open_verbs": lambda row: _outcome_of(f"so they {row} to sell it") == "open",
    "en/outcomes undone_if_denied": lambda row: _outcome_of(f"I did not {row} to sit") == "undone",
    "en/outcomes pledges": lambda row: _outcome_of(f"so they {row} to sell it") == "open",
    "en/outcomes claimed": lambda row: _outcome_of(f"so they {row} that he sold it") == "open",
    "en/outcomes claimed_forms": lambda row: _outcome_of(f"so he {row} that he sold it") == "open",
    "en/outcomes own_claims": lambda row: _outcome_of(f"so I {row} that he sold it") is None,
    "en/outcomes short_of": lambda row: _outcome_of(f"so they {row} sold it") == "undone",
    "en/outcomes speech": lambda row: _outcome_of(f"so they forgot to {row} it") is None,
    "en/outcomes conditions": lambda row: condition_in(words(f"so {row} he comes")),
    "en/outcomes doubts": lambda row: is_doubtful(words(f"so {row} he comes")),
    "en/outcomes asking": lambda row: condition_in(words(f"so I {row} if he comes")) == (3, True),
    "en/over away": lambda row: _is_over("Is Zig on leave?", f"Zig is {row} from leave."),
    "en/over given": lambda row: _is_over("Is the saw with Zig?", f"Zig {row} the saw back."),
    "en/over settled": lambda row: _is_over("Is the tap still blue?", f"The tap is {row}."),
    "en/over troubles": lambda row: _is_over(f"Is there a {row}?", "The pump is fixed."),
    "en/over wishes": lambda row: _is_wished(f"They {row} to see Japan."),
    "en/changes news": lambda row: announces_news(words(f"it is {row} blue")),
    "en/changes news_phrases": lambda row: announces_news(words(f"it is {row} blue")),
    "en/changes turn_phrases": lambda row: announces_change(words(f"it {row} blue"), ()),
    "en/changes hints": lambda row: announces_change(words(f"it {row} blue"), ()),
    "en/changes unsure": lambda row: is_unsure(words(f"it {row} blue")),
    "en/changes planned": lambda row: is_unsure(words(f"it {row} blue")),
    "en/headings general": lambda row: topic_terms(f"Zig {row}") == {"zig"},
    "en/changes limited": lambda row: limits_of(words(f"it is {row} blue")),
    "en/changes limited_phrases": lambda row: limits_of(words(f"it is blue {row}")),
    "en/changes limiting": lambda row: limits_of(words(f"{row} zig it is blue")),
    "en/changes feasts": lambda row: limits_of(words(f"over {row} it is blue")),
    "en/changes beginnings": lambda row: starts_later(words(f"{row} May it will be blue"), None),
    "en/commands commands": lambda row: is_command(f"{row} zig"),
    "en/commands prose": lambda row: not is_command(f"git zig {row}"),
    "en/sentences abbreviations": lambda row: len(sentences(f"Zig {row}. Zag is here.")) == 1,
    "en/sentences before_numbers": lambda row: len(sentences(f"Zig {row}. 5 is here.")) == 1,
    "en/sentences openers": lambda row: len(sentences(f"At Acme Inc. {row} zag.")) == 2,
    "en/stopwords search": lambda row: query_terms(f"{row} zig") == ["zig"],
    "en/stopwords empty": lambda row: row in EMPTY_WORDS,
    "en/names first_names": lambda row: _is_named("person", f"I met {row} Zagwell there.")
    or row in lexicon.FIRST_NAMES & (lexicon.MONTHS | lexicon.PEOPLES),
    "en/names titles": lambda row: _is_named("person", f"I met {row} Zagwell there."),
    "en/names relatives": lambda row: _is_named("person", f"I met my {row} Zagwell there."),
    "en/names organization_ends": lambda row: _is_named("organization", f"I saw Zagwell {row}."),
    "en/names place_ends": lambda row: _is_named("place", f"I saw Zagwell {row}."),
    "en/names place_starts": lambda row: _is_named("place", f"I saw {row} Zagwell."),
    "en/names event_ends": lambda row: _is_named("event", f"I saw Zagwell {row}."),
    "en/names system_ends": lambda row: _is_named("system", f"I saw Zagwell {row}."),
    "en/names doubtful_names": lambda row: row in lexicon.DOUBTFUL_NAMES,
} | {
    f"en/kinds {kind}": lambda row, kind=kind: kind in kinds_of(words(row))
    for kind in ROWS["en/kinds"]
} | {
    f"en/vocabulary {name}": lambda row, name=name: row in getattr(vocabulary, name.upper())
    for name in ROWS["en/vocabulary"]
} | {
    f"any/stopwords {language}": lambda row, language=language: row in STOP_WORDS[language]
    for language in ROWS["any/stopwords"]
} | {
    f"any/questions times_{language}": lambda row, asks=asks: not is_no_time_or_place(
        f"{asks.capitalize()} zig zagzag?", row, row
    )
    for language, asks in (
        (name.removeprefix("when_"), words.split()[0])
        for name, words in ROWS["any/questions"].items()
        if name.startswith("when_")
    )
}  # fmt: skip


def rows_of(file: str, name: str) -> list[str]:
    text = ROWS[file][name]
    return text.strip().splitlines() if name in LINES else text.split()


LISTS = [(file, name) for file, names in ROWS.items() for name in names]


@pytest.mark.parametrize(("file", "name"), LISTS)
def test_every_row_changes_a_reading(file: str, name: str) -> None:
    reading = READINGS.get(f"{file} {name}") or (lambda row: row in _loaded(file, name))
    assert [row for row in rows_of(file, name) if not reading(row)] == []


@pytest.mark.parametrize(("file", "name"), LISTS)
def test_the_rows_are_those_of_the_list(file: str, name: str) -> None:
    assert sorted(_loaded(file, name)) == sorted(set(rows_of(file, name)))


def test_every_list_has_rows() -> None:
    folder = Path(lists.__file__).parent / "data"
    names = {f"{path.parent.name}/{path.stem}" for path in folder.rglob("*.toml")}
    assert names - TESTED_BY_TEXTS == set(ROWS)
    for file in ROWS:
        assert set(lists.table(*reversed(file.split("/")))) == set(ROWS[file])


def _loaded(file: str, name: str) -> set[str]:
    value = lists.table(*reversed(file.split("/")))[name]
    if isinstance(value, str):
        return set(value.strip().splitlines() if name in LINES else value.split())
    return {_line(key, item) for key, item in value.items()}


def _line(key: str, value: Any) -> str:
    if isinstance(value, dict):
        return f"{key}: {value['values']}: {', '.join(value['verbs'])}"
    return f"{key} = {value}"

"""Which known statements a new one may replace if the reader confirms it; for `ReaderJudge`.

"New code for the bike shed: 9036" may replace "The bike shed door code is 4471": the rules cannot
decide that, so the reader (a small model that compares two texts) is asked. The reader mistakes
other years, places, people and things for changes, so the rules below veto those first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from uuid import UUID

from remem.core.judgements import NO_CONTEXT, KnownMemory, Relation, StatementContext
from remem.core.language.claims.durations import durations_in
from remem.core.language.claims.news import (
    announces_change,
    announces_news,
    has_phrase,
    is_unsure,
)
from remem.core.language.claims.outline import Outline, join_outlines, outline_of
from remem.core.language.claims.parse import parse
from remem.core.language.claims.verbs import is_past
from remem.core.language.lists import phrases
from remem.core.language.words import statements, stem, stem_set
from remem.core.memories.rules.another_subject import is_about_another
from remem.core.memories.rules.different_names import have_different_names
from remem.core.memories.rules.different_subject import (
    has_different_subject,
    may_have_different_subject,
)
from remem.core.memories.rules.extra_details import has_extra_details
from remem.core.memories.rules.guards import GUARDS, Caution, Guard, Pair
from remem.core.memories.rules.relate import are_different_speakers, is_about_earlier_time
from remem.core.memories.rules.temporary import is_temporary
from remem.core.memories.rules.text_form import form_rules_out_update


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen on bench/sets/pairs.toml."""

    max_old_chars: int = 300
    max_new_chars: int = 500
    # Below this cosine, two statements are about different things: the reader is not asked.
    min_cosine: float = 0.25
    # The same for a reader of notes, whose short lines share little with what they change.
    min_cosine_of_notes: float = 0.1
    # The probability of an update that the reader must reach; the higher one where the rules
    # speak against it without a veto.
    min_probability: float = 0.88
    min_probability_in_doubt: float = 0.95
    # From this probability on, a person is asked whether it is one.
    min_probability_to_ask: float = 0.6


THRESHOLDS = Thresholds()
_VISIT_VERBS = stem_set("changes", "visits")
_RESIDENCE_VERBS = stem_set("changes", "resides")
_SEVERAL_VERBS = stem_set("changes", "many")
_SEVERAL_STATES = stem_set("changes", "many_states")
_ADDITION_PHRASES = phrases("changes", "added_phrases")
_LONG_AGO = phrases("changes", "long_ago")
_AUXILIARIES = frozenset(map(stem, ("have", "can", "need")))
# With one of these words, a statement does not add to a list.
_EXCLUSIVE = frozenset("instead only rather not never stopped quit".split())
_FOR_GOOD = phrases("changes", "for_good")
_TIMES_OF_DAY = frozenset(
    map(stem, "morning noon afternoon evening night day week weekend".split())
)


def undecided_candidates(
    content: str,
    known: Sequence[KnownMemory],
    relations: Sequence[Relation],
    context: StatementContext = NO_CONTEXT,
    caution: Caution = Caution(),
) -> list[tuple[UUID, float]]:
    """The update candidates among the memories that `relations` does not update already.

    Each comes with the probability that the reader must reach."""
    if relations and relations[0].action == "noop":
        return []
    decided = {relation.target_id for relation in relations if relation.action == "update"}
    undecided = [memory for memory in known if memory.id not in decided]
    return update_candidates(content, undecided, context, caution)


def update_candidates(
    content: str,
    known: Sequence[KnownMemory],
    context: StatementContext = NO_CONTEXT,
    caution: Caution = Caution(),
) -> list[tuple[UUID, float]]:
    """The memories that the statement may replace, with the probability the reader must reach."""
    if len(content) > THRESHOLDS.max_new_chars or content.rstrip().endswith("?"):
        return []
    outlines = [outline_of(statement) for statement in statements(content)]
    if not outlines:
        return []
    new = join_outlines(outlines)
    claims = parse(content, context.speaker)
    return [
        (memory.id, required)
        for memory in known
        if not are_different_speakers(context.speaker, memory.speaker)
        and not is_about_earlier_time(claims, memory)
        and (required := _required_probability(content, new, memory, context.day, caution))
        is not None
    ]


def _required_probability(
    content: str, new: Outline, known: KnownMemory, today: date | None, caution: Caution
) -> float | None:
    """The probability of an update that the reader must reach; None where a guard forbids it."""
    least = THRESHOLDS.min_cosine_of_notes if caution.reads_notes else THRESHOLDS.min_cosine
    if known.cosine < least:
        return None
    text = known.content
    parts = statements(text)
    if len(parts) != 1 or len(text) > THRESHOLDS.max_old_chars:
        return None
    old = outline_of(parts[0])
    announced = announces_news(new.words) or announces_change(new.words, old.terms)
    pair = Pair(content, text, new, old, announced, today, caution.replaces_whole)
    guards = GUARDS if caution.reads_notes else _ENGLISH_GUARDS
    if any(guard.effect == "forbid" and guard.applies(pair) for guard in guards):
        return None
    is_doubted = any(guard.effect == "doubt" and guard.applies(pair) for guard in guards)
    return THRESHOLDS.min_probability_in_doubt if is_doubted else THRESHOLDS.min_probability


def _differ_in_one_term(new: Outline, old: Outline) -> bool:
    """Whether they differ in one value only, which the rules decide without the reader."""
    return len(new.terms - old.terms) <= 1 and len(old.terms - new.terms) <= 1


def _repeats_verb(old: Outline, new: Outline) -> bool:
    """Whether the new statement has the old one's verb: "In winter the kiosk opens at 9"."""
    return not old.verb or any(word.stem == old.verb for word in new.words)


def _is_visit(new: Outline, old: Outline) -> bool:
    """Whether the new statement is about a visit, which changes no residence unless for good."""
    if old.verb not in _RESIDENCE_VERBS or old.verb in new.terms:
        return False
    verbs = {new.verb} if new.verb else new.terms
    return bool(_VISIT_VERBS & verbs) and not has_phrase(new.words, _FOR_GOOD)


def _have_same_duration(new: Outline, old: Outline) -> bool:
    """ "Two weeks" is the same as 14 days."""
    new_durations, old_durations = durations_in(new.words), durations_in(old.words)
    return bool(new_durations) and new_durations == old_durations


def _may_continue_after_number(text: str) -> bool:
    """Whether a number may end a sentence: "It is in rack 4. Its password is …".

    The sentence splitter reads "4." as an ordinal there."""
    return any(
        char.isdigit() and dot == "." and space == " "
        for char, dot, space in zip(text, text[1:], text[2:], strict=False)
    )


def _adds_one_more(new: Outline, old: Outline) -> bool:
    """Whether the new statement adds one more of something there may be several of."""
    if has_phrase(new.words, _ADDITION_PHRASES):
        return True
    if new.words[0].low == old.words[0].low == "there":
        return True
    stems = {word.stem for word in new.words}
    may_be_several = old.verb in _SEVERAL_VERBS and _has_main_verb(new, old.verb)
    may_be_several = may_be_several or any(
        word.stem in _SEVERAL_STATES & stems for word in old.words
    )
    value = old.terms - old.subject - {old.verb} - _TIMES_OF_DAY - _SEVERAL_STATES - {"to"}
    is_exclusive = any(word.low in _EXCLUSIVE for word in new.words)
    return may_be_several and not is_exclusive and not value & new.terms


def _has_main_verb(outline: Outline, verb: str) -> bool:
    """Whether the verb is there and not as an auxiliary, as in "has shaved it off"."""
    return any(
        word.stem == verb and not (verb in _AUXILIARIES and is_past(after))
        for word, after in pairwise(outline.words)
    )


def _is_exception(pair: Pair) -> bool:
    return is_temporary(pair.new_text, pair.old_text, pair.today)


def _may_be_about_another(pair: Pair) -> bool:
    return may_have_different_subject(pair.new, pair.old, announces_news(pair.new.words))


# For a reader that knows English sentences alone.
_ENGLISH_GUARDS: tuple[Guard, ...] = (
    Guard(
        "the end of the sentence is not clear",
        lambda pair: _may_continue_after_number(pair.old_text),
        "forbid",
    ),
    Guard(
        "it was over before",
        lambda pair: pair.old.past and not announces_change(pair.old.words, pair.old.terms),
        "forbid",
    ),
    Guard("long ago", lambda pair: has_phrase(pair.old.words, _LONG_AGO), "forbid"),
    Guard(
        "another name",
        lambda pair: not pair.announced and have_different_names(pair.new.words, pair.old.words),
        "forbid",
    ),
    Guard(
        "one value differs",
        lambda pair: not pair.announced and _differ_in_one_term(pair.new, pair.old),
        "forbid",
    ),
    Guard(
        "says less",
        lambda pair: pair.replaces_whole and has_extra_details(pair.old, pair.new, pair.old_text),
        "forbid",
    ),
    Guard("one more of several", lambda pair: _adds_one_more(pair.new, pair.old), "forbid"),
    Guard(
        "another subject",
        lambda pair: has_different_subject(pair.new, pair.old, pair.announced),
        "forbid",
    ),
    Guard(
        "another form",
        lambda pair: form_rules_out_update(pair.new_text, pair.old_text),
        "forbid",
    ),
    Guard("the same duration", lambda pair: _have_same_duration(pair.new, pair.old), "forbid"),
    Guard("a visit", lambda pair: _is_visit(pair.new, pair.old), "forbid"),
    Guard(
        "another name or number",
        lambda pair: is_about_another(pair.new_text, pair.old_text),
        "forbid",
    ),
    Guard(
        "only for a while",
        lambda pair: _is_exception(pair) and _repeats_verb(pair.old, pair.new),
        "forbid",
    ),
    Guard("may be an exception", _is_exception, "doubt"),
    Guard("it was over", lambda pair: pair.old.past, "doubt"),
    Guard("not certain", lambda pair: is_unsure(pair.new.words), "doubt"),
    Guard("may be about another", _may_be_about_another, "doubt"),
)

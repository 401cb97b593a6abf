"""Which known statements a new one may replace if the reader confirms it; for `ReaderJudge`.

"New code for the bike shed: 9036" may replace "The bike shed door code is 4471": the rules cannot
decide that, so the reader (a small model that compares two texts) is asked. The reader mistakes
other years, places, people and things for changes, so the guards forbid or doubt those first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from remem.core.judgements import NO_CONTEXT, KnownMemory, Relation, StatementContext
from remem.core.language.claims.news import announces_change, announces_news
from remem.core.language.claims.outline import Outline, join_outlines, outline_of
from remem.core.language.claims.parse import parse
from remem.core.language.words import statements
from remem.core.memories.rules.guards import GUARDS, Pair, is_sentence
from remem.core.memories.rules.relate import are_different_speakers, is_about_earlier_time


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen on bench/sets/pairs.toml and on people that no model was trained on."""

    max_old_chars: int = 300
    max_new_chars: int = 500
    # The probability of an update that the reader must reach: of two sentences, of notes, and where
    # a guard doubts it.
    min_probability_of_sentences: float = 0.55
    min_probability: float = 0.85
    min_probability_in_doubt: float = 0.975
    # From this probability on, a person is asked whether it is one.
    min_probability_to_ask: float = 0.5


THRESHOLDS = Thresholds()


def undecided_candidates(
    content: str,
    known: Sequence[KnownMemory],
    relations: Sequence[Relation],
    context: StatementContext = NO_CONTEXT,
) -> list[tuple[UUID, float]]:
    """The update candidates among the memories that `relations` does not update already.

    Each comes with the probability that the reader must reach."""
    if relations and relations[0].action == "noop":
        return []
    decided = {relation.target_id for relation in relations if relation.action == "update"}
    undecided = [memory for memory in known if memory.id not in decided]
    return update_candidates(content, undecided, context)


def update_candidates(
    content: str,
    known: Sequence[KnownMemory],
    context: StatementContext = NO_CONTEXT,
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
        and (required := _required_probability(content, new, memory, context.day)) is not None
    ]


def _required_probability(
    content: str, new: Outline, known: KnownMemory, today: date | None
) -> float | None:
    """The probability of an update that the reader must reach; None where a guard forbids it."""
    text = known.content
    parts = statements(text)
    if len(parts) != 1 or len(text) > THRESHOLDS.max_old_chars:
        return None
    old = outline_of(parts[0])
    announced = announces_news(new.words) or announces_change(new.words, old.terms)
    pair = Pair(content, text, new, old, announced, today)
    if any(guard.effect == "forbid" and guard.applies(pair) for guard in GUARDS):
        return None
    if any(guard.effect == "doubt" and guard.applies(pair) for guard in GUARDS):
        return THRESHOLDS.min_probability_in_doubt
    if is_sentence(content) and is_sentence(text):
        return THRESHOLDS.min_probability_of_sentences
    return THRESHOLDS.min_probability

"""Score the answers to questions, and decide whether one of two runs is worse. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

from remem.core.question_file import Question

DEPTH = 10
HITS_AT = (1, 3, 10)
# A loss is refused if chance alone would make one as clear in fewer than one of twenty runs.
MAX_CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class FoundSource:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The questions whose source is now ranked lower or higher. `chance`: how likely so many
    losses are if a change is as often a gain."""

    lost: list[str]
    won: list[str]
    chance: float

    @property
    def is_loss(self) -> bool:
        return self.chance < MAX_CHANCE


def rank_of(question: Question, sources: Sequence[FoundSource]) -> int | None:
    """The place of the first right source, from 1; None if it is not among them."""
    titles = {title.casefold().strip() for title in question.titles}
    texts = [_plain(text) for text in question.texts]
    for place, source in enumerate(sources[:DEPTH], 1):
        content = _plain(source.text)
        if (
            source.id in question.ids
            or source.title.casefold().strip() in titles
            or any(text in content for text in texts)
        ):
            return place
    return None


def measures(ranks: Sequence[int | None]) -> dict[str, float]:
    """The share of questions with the source among the first 1, 3 and 10, and the mean reciprocal
    rank."""
    count = len(ranks) or 1
    hits = {f"hit@{depth}": sum(_is_within(rank, depth) for rank in ranks) for depth in HITS_AT}
    reciprocal = sum(1 / rank for rank in ranks if rank)
    return {
        **{name: round(number / count, 4) for name, number in hits.items()},
        "mrr": round(reciprocal / count, 4),
    }


def compare_ranks(before: Mapping[str, int | None], after: Mapping[str, int | None]) -> Comparison:
    """Compare the questions that both runs asked, with a one-sided sign test."""
    shared = [ask for ask in after if ask in before]
    lost = [ask for ask in shared if _value(after[ask]) < _value(before[ask])]
    won = [ask for ask in shared if _value(after[ask]) > _value(before[ask])]
    return Comparison(lost, won, sign_test(len(lost), len(won)))


def sign_test(lost: int, won: int) -> float:
    """The probability of at least so many losses among the changes, if both are equally likely."""
    changes = lost + won
    return sum(comb(changes, number) for number in range(lost, changes + 1)) / 2**changes


def _value(rank: int | None) -> float:
    return 1 / rank if rank else 0.0


def _is_within(rank: int | None, depth: int) -> bool:
    return rank is not None and rank <= depth


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

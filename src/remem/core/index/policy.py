"""Every weight and threshold of finding by word in one value: bench/README.md."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordPolicy:
    # BM25: how soon a repeated word adds no more, and how much a long text loses.
    k1: float = 1.2
    b: float = 0.6
    # How many postings of the rarest terms are enough to choose the best texts from.
    enough_postings: int = 2_000
    # How far the texts of a term are counted; the cost of a very common one ends there.
    counted: int = 10_000
    # Where projects have less than this of all texts, their own lists are read.
    small_part: float = 0.15
    # The weight of a word that replaces a misspelt one.
    guessed: float = 0.7
    everyday_texts: int = 100
    # So many candidates for the square root of the texts, and no more than one may wait for.
    growth: float = 4
    grown_most: int = 300
    # The frequency of a rarer word is not cached: it is counted quickly, and there are many.
    common: int = 1_000
    # When this share of the texts has changed, all are counted again.
    changed: float = 0.02
    # A word that stands nowhere, alone: how long it has to be to begin others, and to differ from
    # others by a slip; a long one may have two. So many are offered, of so many that are read.
    prefix_least: int = 3
    slip_least: int = 4
    two_slips_least: int = 8
    offered: int = 8
    offered_of: int = 1_000
    # Each costs some probes of the index; a page of a strange language has hundreds.
    completed: int = 12
    # Among other words: fewer, and only of words long enough that few others are as near.
    repaired: int = 4
    repaired_least: int = 5
    repaired_offered: int = 2


WORD_POLICY = WordPolicy()

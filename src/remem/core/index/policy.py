"""Every weight and threshold of word search in one value: bench/README.md."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordPolicy:
    # BM25: how soon a repeated word adds no more, and how much long texts are penalized.
    k1: float = 1.2
    b: float = 0.6
    # How many postings of the rarest terms are enough to choose the best texts from.
    enough_postings: int = 2_000
    # Texts of a term are counted up to this number; it bounds the cost of a very common term.
    max_counted: int = 10_000
    # If the projects have less than this share of all texts, their own posting lists are read.
    small_share: float = 0.15
    # The weight of a word that replaces a misspelt one.
    guess_weight: float = 0.7
    # The weight of a key that the forms of a word share, relative to that of a word as rare.
    key_weight: float = 0.4
    everyday_texts: int = 100
    # The number of candidates: this times the square root of the number of texts, up to
    # `max_growth`.
    growth: float = 4
    max_growth: int = 300
    # The frequency of a rarer word is not cached: counting it is fast, and there are many.
    min_cached_frequency: int = 1_000
    # When this share of the texts has changed, all frequencies are counted again.
    stale_share: float = 0.02
    # A query of one word that is in no text: how long it must be to be completed, to be matched
    # despite a typo, and despite two. At most `max_guesses` terms are returned, of at most
    # `max_vocabulary` that are read.
    min_prefix_chars: int = 3
    min_typo_chars: int = 4
    min_two_typo_chars: int = 8
    max_guesses: int = 8
    max_vocabulary: int = 1_000
    # Each term takes several index probes, and text in an unknown language has hundreds.
    max_completed_terms: int = 12
    # In a query of several words: fewer corrections, and only of words long enough to have few
    # similar ones.
    max_corrected_terms: int = 4
    min_corrected_chars: int = 5
    max_corrections: int = 2


WORD_POLICY = WordPolicy()

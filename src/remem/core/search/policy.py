"""Every weight and threshold of search in one value, chosen together: bench/README.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from remem.core.index.policy import WORD_POLICY, WordPolicy

# How much each part of the evidence counts, in standard deviations of its pool.
_EVIDENCE = {
    "words": 0.5,
    "speaker": 1.8,
    "in_time": 2.0,
    "tells_time": 1.2,
    "asks": -0.6,
    "answers": 0.5,
    "thread_score": 0.5,
    "exact": 3.5,
    "titled": 1.0,
    "named": 3.0,
}


@dataclass(frozen=True, slots=True)
class Policy:
    """Handed to every step of ranking. `enough_coverage` is the share of a query's information from
    which on words are relied on fully; below, `text` falls to `least_text` of what it would be.
    `steepness` is how evidence falls from the best of the answer. What `floor_` is for says
    floor.py."""

    vector: float = 0.6
    text: float = 0.4
    recency: float = 0.1
    recency_days: float = 30
    # What a good memory gains of its score, and a bad one loses.
    good: float = 0.05
    bad: float = 0.3
    steepness: float = 0.3
    enough_coverage: float = 0.63
    coverage_power: float = 3
    least_text: float = 0.65
    # The texts of the first so many are read for the titles of others.
    naming_first: int = 5
    # So many characters of each. A title of more words is a sentence; one of a single word names
    # something if the word is this long.
    naming_chars: int = 4_000
    title_words: int = 12
    title_word_chars: int = 4
    # Does anything stand out? A logistic of: the nearest cosine, the mean cosine of the eleventh to
    # the fiftieth, how many standard deviations the nearest lies above the mean of the pool (less
    # is better: a store that has much on a topic has no lone peak), and of the best by meaning
    # and words its cosine and coverage.
    floor_bias: float = -2.64
    floor_nearest: float = 27.56
    floor_background: float = -26.35
    floor_contrast: float = -1.55
    floor_best: float = 6.49
    floor_covered: float = 2.31
    floor_exact: float = 1.87
    floor_by_name: float = 1.49
    # The pool that is big enough to compare with, and where its background lies in it.
    floor_pool: int = 20
    floor_from: int = 10
    floor_to: int = 50
    # Where there is too little to compare with.
    floor_rest: float = 0.03
    floor_usual_contrast: float = 2.7
    # Words that say so much of the query are an answer, whatever the vectors say.
    floor_sure: float = 0.68
    # Of each candidate: cosine and coverage together, or coverage where there are no vectors.
    floor_word: float = 0.35
    floor_each: float = 0.15
    # And as a share of the nearest.
    floor_share: float = 0.33
    floor_coverage: float = 0.2
    floor_named: float = 0.1
    # In `best`, the first so many are read, and what the reader says has this share.
    reader_first: int = 20
    reader_weight: float = 0.4
    # What is most relevant has a say in whether anything stands out: so much for each point of its
    # relevance above this one.
    reader_floor: float = 0.1
    reader_floor_from: float = -1.0
    # Of a long text a part of about as many characters as the reader takes in, and how far the
    # parts lie apart.
    reader_chars: int = 800
    reader_step: int = 200
    # Of a talk more are read, its turns being short, as far as so many characters go; and of the
    # first so many then what answers in them, which counts so much beside the relevance. The best
    # other turn of its session counts so much for each.
    talk_first: int = 40
    talk_weight: float = 0.6
    talk_chars: int = 16_000
    talk_again: int = 12
    talk_answer: float = 0.25
    talk_session: float = 0.2
    # Below these odds nothing answers, whatever the figure.
    least_odds: float = -12.0
    evidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType(_EVIDENCE))
    # A turn's words count a little for the turns around it: those so far away, by so much. Only
    # turns of at most so many characters lean on each other.
    neighbours: tuple[tuple[int, float], ...] = ((-2, 0.25), (-1, 0.5), (1, 0.25))
    turn_chars: int = 600
    # A first score, for what a candidate gives to those beside it.
    first_vector: float = 0.5
    first_words: float = 0.5
    first_speaker: float = 0.8
    # The mean of the best so many of a thread counts for each in it; a turn that asks by more than
    # this share counts for its answer.
    thread_top: int = 3
    asking_share: float = 0.3
    # Reciprocal ranks: there too, the order that evidence gives is better than that of the vectors.
    rrf_k: int = 60
    rrf_text: float = 3
    # A query as it was asked counts more than the wordings that a model made of it.
    rrf_asked: float = 2
    # Which of a chunk and its memories says it best: the cosine, and this much of the coverage.
    merged_word: float = 0.5
    # Of queries about the current state: the first of so many threads are compared with each other,
    # where they share so much of the query's words, by weight, and the later one of two turns has
    # this share of what the earlier one has.
    newer_heads: int = 3
    newer_alike: float = 0.3
    newer_share: float = 0.6
    # A chunk is outdated where more than this share of it was replaced.
    outdated_share: float = 0.5
    # In `deep`: so many clauses of the query that have so many words are looked for as well.
    clauses: int = 3
    clause_words: int = 3
    # And links of the first so many memories are followed. What is reached counts for this
    # much of what it was reached from; by what both mention, less, and so many of those at most.
    graph_first: int = 10
    graph_share: float = 0.5
    graph_entity_share: float = 0.8
    graph_entities: int = 30
    # Of a long document that answers all over, as many chunks as a person would read; and of all
    # that was found no more than the best few for each document that is shown.
    group_chunks: int = 10
    group_chunks_a_result: int = 3
    words: WordPolicy = WORD_POLICY


POLICY = Policy()

"""Every weight and threshold of search in one value, chosen together: bench/README.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from remem.core.index.policy import WORD_POLICY, WordPolicy
from remem.core.search.calibration import CALIBRATION, Calibration

# The weight of each component of the evidence, in standard deviations of its pool.
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
    """Passed to every step of ranking. From a coverage of `enough_coverage` on, the share of the
    query's information, words are fully reliable; below, `text` falls to `min_text` of its value.
    `steepness` is how fast evidence falls off from the best candidate. The `floor_` fields are
    explained in floor.py."""

    vector: float = 0.6
    text: float = 0.4
    recency: float = 0.1
    recency_days: float = 30
    # The share of its score that a memory gains if rated good, and loses if rated bad.
    good: float = 0.05
    bad: float = 0.3
    steepness: float = 0.3
    enough_coverage: float = 0.63
    coverage_power: float = 3
    min_text: float = 0.65
    # The texts of the first results, up to this number, are searched for titles of other documents.
    naming_first: int = 5
    # The number of characters of each text that are searched. A title of more words than this is a
    # sentence; a title of one word counts if the word has this many characters.
    naming_chars: int = 4_000
    title_words: int = 12
    title_word_chars: int = 4
    # Does anything stand out? A logistic regression on: the nearest cosine; the mean cosine of the
    # 11th to 50th; by how many standard deviations the nearest is above the mean of the pool (less
    # is better: a store with much on a topic has no single peak); and cosine and coverage of the
    # best candidate by meaning and words.
    floor_bias: float = -2.64
    floor_nearest: float = 27.56
    floor_background: float = -26.35
    floor_contrast: float = -1.55
    floor_best: float = 6.49
    floor_covered: float = 2.31
    floor_exact: float = 1.87
    floor_by_name: float = 1.49
    # The smallest pool that is compared with, and the positions of its background.
    floor_pool: int = 20
    floor_from: int = 10
    floor_to: int = 50
    # The values to use if the pool is smaller.
    floor_rest: float = 0.03
    floor_usual_contrast: float = 2.7
    # From this coverage on, the words alone are an answer, whatever the vectors.
    floor_sure: float = 0.68
    # For each candidate: cosine plus weighted coverage, or coverage alone without vectors.
    floor_word: float = 0.35
    floor_each: float = 0.15
    # The minimum relative to the nearest.
    floor_share: float = 0.33
    floor_coverage: float = 0.2
    floor_named: float = 0.1
    # How relevant a candidate is, and when it is weak.
    calibration: Calibration = CALIBRATION
    # From this coverage on, a candidate has the name that was searched for.
    floor_name_covered: float = 0.9
    # The highest relevance of a weak result.
    weak_relevance: float = 0.3
    # In `best`, this many first results are read, and this is the share of the reader's score.
    reader_first: int = 20
    reader_weight: float = 0.7
    # How much the most relevant text adds to the margin: this for each point of its relevance above
    # `reader_floor_from`.
    reader_floor: float = 0.1
    reader_floor_from: float = -1.0
    # Of a long text, a passage of about as many characters as the reader accepts, and the step
    # between possible passages.
    reader_chars: int = 800
    reader_step: int = 200
    # Of a conversation more results are read, because turns are short, up to this many characters.
    # The answers in the first `talk_again` are then extracted and added with this weight. The best
    # other turn of its session adds this share to each turn.
    talk_first: int = 40
    talk_weight: float = 0.6
    talk_chars: int = 16_000
    talk_again: int = 12
    talk_answer: float = 0.25
    talk_session: float = 0.2
    # The minimum log odds of an answer; lower values are raised to it.
    min_log_odds: float = -12.0
    evidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType(_EVIDENCE))
    # The words of a turn also count for the turns around it, by this offset and weight, if these
    # have at most `turn_chars` characters.
    neighbours: tuple[tuple[int, float], ...] = ((-2, 0.25), (-1, 0.5), (1, 0.25))
    turn_chars: int = 600
    # The weights of a preliminary score, which a candidate passes on to its neighbours.
    first_vector: float = 0.5
    first_words: float = 0.5
    first_speaker: float = 0.8
    # The mean of this many best scores of a thread counts for each of its members; a turn whose
    # question share is above this counts for its answer.
    thread_top: int = 3
    asking_share: float = 0.3
    # Reciprocal rank fusion: here too, the order by evidence is better than the one by vectors.
    rrf_k: int = 60
    rrf_text: float = 3
    # The original query has more weight than the model's rewordings.
    rrf_asked: float = 2
    # The best match among a chunk and its memories: the cosine, plus this weight of the coverage.
    merged_word: float = 0.5
    # For queries that are not about the past: this many first threads are compared with each other.
    # Two results match if they share this much of the query's words, by weight, and the newer one
    # has at least this share of what the older one has; of notes, this share of its cosine, less if
    # both have this share of the query. What the reader prefers by more than this stays first.
    newer_heads: int = 3
    newer_alike: float = 0.5
    newer_share: float = 0.6
    newer_near: float = 0.9
    newer_near_covered: float = 0.8
    newer_covered: float = 0.4
    newer_read: float = 2.0
    # A chunk is outdated if more than this share of it was replaced.
    outdated_share: float = 0.5
    # In `deep`, the links of this many first memories are followed. A linked memory gets this share
    # of the score of its source, less if linked by a shared entity, and this many of those at most.
    graph_first: int = 10
    graph_share: float = 0.5
    graph_entity_share: float = 0.8
    graph_entities: int = 30
    # The maximum number of chunks for each document, about what a person would read, and only from
    # the first results, this many for each document shown.
    group_chunks: int = 10
    group_chunks_a_result: int = 3
    words: WordPolicy = WORD_POLICY


POLICY = Policy()

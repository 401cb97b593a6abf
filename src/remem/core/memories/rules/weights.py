"""The numbers that `worth.py` and `distil.py` decide by: points per feature, limits and windows.

Chosen by measurement; see bench/README.md."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Points are added, except for these, which are subtracted: `thought`, `about_nobody`,
    `participle`, `not_about_speaker`, `pasted_line`, `short_past`, `advice`,
    `too_few_content_words`, `praise` and `only_praise`. The points under "Unclear" below are
    subtracted too. Names ending in `_window` say how many words are read."""

    # A sentence of a known speaker is stored from this many points on; one of no speaker needs
    # more.
    enough: float = 2.5
    enough_without_speaker: float = 4.5
    min_words: int = 3
    max_words: int = 50
    max_chars: int = 400
    # The verb after "I": what the speaker is, has or wants; what lasts or is planned; what they
    # did or will do; what they are doing; any other verb; what they only think or feel.
    state: float = 3.0
    lasting: float = 2.5
    done: float = 2.0
    in_progress: float = 1.5
    other_verb: float = 0.5
    thought: float = 0.5
    verb_window: int = 5
    participle_min_chars: int = 4
    # "My" before a person or a thing people own; before anything else.
    own_relative_or_thing: float = 1.5
    own_other: float = 0.5
    own_window: int = 3
    # A subject with a name, and the verb that says something about it.
    named_subject: float = 0.5
    named_subject_verb: float = 1.0
    named_subject_be: float = 1.0
    named_verb_window: int = 7
    named_be_window: int = 6
    # "Connecting with people is key": about nobody in particular.
    about_nobody: float = 2.0
    participle: float = 1.0
    not_about_speaker: float = 0.75
    written_note: float = 1.0
    # "To do: …" is a request to remember; a line of a list was only pasted.
    labelled: float = 2.0
    pasted_line: float = 3.0
    # A past event in this few words says little.
    short_past: float = 1.0
    short_past_max_words: int = 3
    advice: float = 3.0
    # Names, numbers, plain nouns.
    name: float = 0.75
    max_names: int = 2
    amount: float = 1.0
    number: float = 0.75
    numeral: float = 0.5
    content_word: float = 0.25
    max_content_words: int = 6
    min_content_words: int = 2
    too_few_content_words: float = 1.5
    praise: float = 0.4
    only_praise: float = 1.0
    # Unclear: references to something named elsewhere. "It" as the first word, or among the first
    # words; "this" alone, before a noun, or later; a noun that is left out.
    pronoun_first: float = 2.5
    pronoun_later: float = 1.0
    pronoun_window: int = 6
    this_alone: float = 2.0
    this_with_noun: float = 1.0
    this_later: float = 0.5
    missing_noun: float = 1.0
    # The most that a sentence loses that explains its own pronoun.
    pronoun_explained: float = 0.5
    # From this many unclear points on, a sentence depends on the one before it.
    unclear_from: float = 1.0
    # How many meaningful words a sentence needs to name its topic.
    topic_min_words: int = 3


WEIGHTS = Weights()

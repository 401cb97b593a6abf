"""The points by which a sentence is worth remembering, in one value: bench/README.md."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Points:
    """Taken away are `pasted`, `curt`, `advice`, `participle`, `unsaid`, `mental`, `nobody`,
    `praise`, `empty` and `only_praise`; what ends in `_within` is how many words are read."""

    # A sentence with so many is kept; a thing nobody in particular says needs more.
    enough: float = 2.5
    enough_unsaid: float = 4.5
    words_least: int = 3
    words_most: int = 50
    chars_most: int = 400
    # What the speaker is, has or wants; what lasts or is planned; what was done, or will be; what
    # is being done; any other verb; what is only thought or felt.
    state: float = 3.0
    lasting: float = 2.5
    did: float = 2.0
    doing: float = 1.5
    any_verb: float = 0.5
    mental: float = 0.5
    verb_within: int = 5
    ending_letters: int = 4
    # "My" before a person or a thing one has; before anything else.
    owned_named: float = 1.5
    owned: float = 0.5
    owned_within: int = 3
    # Somebody or something by name, and what is so of it.
    named: float = 0.5
    named_verb: float = 1.0
    is_so: float = 1.0
    named_verb_within: int = 7
    is_within: int = 6
    # "Connecting with people is key": true of nobody in particular.
    nobody: float = 2.0
    participle: float = 1.0
    unsaid: float = 0.75
    noted: float = 1.0
    # "To do: …" says itself that it is to be kept; a line of a list was only pasted.
    labelled: float = 2.0
    pasted: float = 3.0
    # What was done, in so few words, says little of it.
    curt: float = 1.0
    curt_words: int = 3
    advice: float = 3.0
    # Names, numbers, plain nouns.
    name: float = 0.75
    names_most: int = 2
    amount: float = 1.0
    number: float = 0.75
    numeral: float = 0.5
    telling: float = 0.25
    telling_most: int = 6
    telling_least: int = 2
    empty: float = 1.5
    praise: float = 0.4
    only_praise: float = 1.0
    # What points at something that is said elsewhere: "it" first, or among the first words;
    # "this" alone, before a noun, or later; a noun that is left out.
    refers_first: float = 2.5
    refers: float = 1.0
    refers_within: int = 6
    shows_alone: float = 2.0
    shows_first: float = 1.0
    shows: float = 0.5
    left_out: float = 1.0
    said_itself: float = 0.5
    # From so many on, a sentence cannot be understood without the one before it.
    unclear: float = 1.0
    # How many words that say something a sentence has, at the least, that names what it is about.
    naming_words: int = 3


WORTH = Points()

"""What rules add to the reader's word that a new statement replaces a known one.

They are few: the reader knows every language and how notes are typed, but takes "Gate 2 has code
6620" for news about gate 1."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from remem.core.language.claims.news import is_unsure
from remem.core.language.claims.outline import Outline
from remem.core.memories.rules.another_subject import have_different_numbers, is_about_another
from remem.core.memories.rules.different_subject import has_different_subject
from remem.core.memories.rules.temporary import is_temporary
from remem.core.memories.rules.unrelated import name_two_things

# The shares of words that two statements of one form have in common, for names and for numbers. In
# other forms and in notes without sentences, names and numbers say little: of the changes and of
# the look-alikes of 172 invented people, these guards forbid 2.5 % and 7 %.
ONE_FORM, NEAR_FORM = 0.5, 0.3
_LABELLED = re.compile(r"\w[^:\n]{1,40}: ")
_ENDED = re.compile(r"[.!。।۔][\"'”’»)]?\Z")


class Caution(NamedTuple):
    """How updates are confirmed: by a reader that `reads_notes`, and only if the new statement
    `replaces_whole` of the known one."""

    reads_notes: bool = False
    replaces_whole: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """A new statement and the known one that it may replace. `announced`: the new one says in words
    that something changed. `replaces_whole`: nothing of the known one may be lost."""

    new_text: str
    old_text: str
    new: Outline
    old: Outline
    announced: bool
    today: date | None
    replaces_whole: bool


@dataclass(frozen=True, slots=True)
class Guard:
    """A rule against an update that the reader sees: it forbids it, or the reader must be more
    certain."""

    name: str
    applies: Callable[[Pair], bool]
    effect: Literal["forbid", "doubt"]


def _is_about_another(pair: Pair) -> bool:
    texts = (pair.new_text, pair.old_text)
    share = _shared_form(pair)
    if share >= ONE_FORM or all(map(_names_its_subject, texts)):
        return is_about_another(*texts)
    return share >= NEAR_FORM and have_different_numbers(*texts)


def _shared_form(pair: Pair) -> float:
    spelled = ([word.low for word in outline.words] for outline in (pair.new, pair.old))
    return SequenceMatcher(None, *spelled, autojunk=False).ratio()


def _names_its_subject(text: str) -> bool:
    """Whether it is written as a sentence, in any script, or begins with a name as a label."""
    text = text.strip()
    is_capital = text[:1].upper() == text[:1]
    return is_capital and (_ENDED.search(text) or _LABELLED.match(text)) is not None


def _has_different_subject(pair: Pair) -> bool:
    are_sentences = _names_its_subject(pair.new_text) and _names_its_subject(pair.old_text)
    return are_sentences and has_different_subject(pair.new, pair.old, pair.announced)


GUARDS: tuple[Guard, ...] = (
    Guard("another name or number", _is_about_another, "forbid"),
    Guard("another subject", _has_different_subject, "forbid"),
    Guard("two things", lambda pair: name_two_things(pair.new_text, pair.old_text), "forbid"),
    Guard(
        "only for a while",
        lambda pair: is_temporary(pair.new_text, pair.old_text, pair.today),
        "doubt",
    ),
    Guard("not certain", lambda pair: is_unsure(pair.new.words), "doubt"),
)

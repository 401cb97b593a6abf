"""What rules add to the reader's word that a new statement replaces a known one.

They are few: the reader knows every language and how notes are typed, but takes "Gate 2 has code
6620" for news about gate 1."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from remem.core.language.claims.news import is_unsure
from remem.core.language.claims.outline import Outline
from remem.core.memories.rules.another_subject import is_about_another
from remem.core.memories.rules.temporary import is_temporary
from remem.core.memories.rules.unrelated import name_two_things

# The share of words that two statements of one form have in common. Of the changes and look-alikes
# of 172 invented people, so many of this form are about another thing: 0.2 % of the changes, 5.5 %
# of the look-alikes. In other forms, names and numbers say nothing.
ONE_FORM = 0.5


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
    return _have_one_form(pair) and is_about_another(pair.new_text, pair.old_text)


def _have_one_form(pair: Pair) -> bool:
    spelled = ([word.low for word in outline.words] for outline in (pair.new, pair.old))
    return SequenceMatcher(None, *spelled, autojunk=False).ratio() >= ONE_FORM


GUARDS: tuple[Guard, ...] = (
    Guard("another name or number", _is_about_another, "forbid"),
    Guard("two things", lambda pair: name_two_things(pair.new_text, pair.old_text), "forbid"),
    Guard(
        "only for a while",
        lambda pair: is_temporary(pair.new_text, pair.old_text, pair.today),
        "doubt",
    ),
    Guard("not certain", lambda pair: is_unsure(pair.new.words), "doubt"),
)

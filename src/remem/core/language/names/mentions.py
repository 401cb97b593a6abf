"""The things a text mentions, by rules: precise rather than many."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from remem.core.language.names import lexicon as words
from remem.core.language.names.forms import (
    KnownName,
    known_names,
    known_words,
    longest_known,
    normalise,
)
from remem.core.language.names.kinds import NAME_WORDS_LIMIT, NameRun, kind_of
from remem.core.language.names.model import Mention
from remem.core.language.names.patterns import take_patterns

MENTIONS_LIMIT = 20
_TOKEN = re.compile(
    r"(?<!\w)[A-Z]\.(?=\s[A-Z])|\.?[^\W_](?:[\w&+#]|[-.'’](?=\w))*(?:\+\+|#)?|[^\w\s]"
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|={3,}|-{3,})")
_POSSESSIVE = re.compile(r"['’]s$")
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:m|re|ll|ve|d))$")
_STARTS_AFTER = frozenset('.!?:;•*-–—"“”„«»([|')


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    starts: bool
    ends_name: bool = False

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper()

    @property
    def is_never_a_name(self) -> bool:
        return (
            self.text in words.MONTHS
            or self.text in words.DAYS
            or self.text in words.PEOPLES
            or self.text in words.ABBREVIATIONS
            or self.text.lower() in words.FUNCTION_WORDS
            or _CONTRACTED.search(self.text) is not None
        )

    @property
    def is_initial(self) -> bool:
        return len(self.text) == 2 and self.text[1] == "."

    @property
    def opens(self) -> bool:
        """Whether it is a word that statements begin with."""
        return self.starts and self.text.lower() in words.OPENERS


@dataclass(frozen=True, slots=True)
class Runs:
    """For each place of a line, where the run of capitalised words that begins there ends, and
    where the name does. Both are the place itself when none begins there."""

    ends: Sequence[int]
    name_ends: Sequence[int]


def entities_in(text: str, tags: Sequence[str] = ()) -> list[Mention]:
    """Each thing once, in the order of the text; tags are concepts, unless they name a thing."""
    found, plain = take_patterns(text)
    for line in plain.splitlines():
        found += _in_line(line)
    found += [_tagged(tag) for tag in tags if normalise(tag)]
    return _once(found)[:MENTIONS_LIMIT]


def _in_line(line: str) -> list[Mention]:
    tokens = list(_tokens(line))
    known_only = bool(_HEADING.match(line)) or _is_title(tokens) or _is_german(tokens)
    ends = _run_ends(tokens)
    runs = Runs(ends, _name_ends(tokens, ends))
    found: list[Mention] = []
    place = 0
    while place < len(tokens):
        mention, length = _at(tokens, place, runs, known_only=known_only)
        found += [mention] if mention else []
        place += length
    return found


def _tokens(line: str) -> Iterator[Token]:
    starts = True
    before = ""
    for match in _TOKEN.finditer(line):
        text = match.group()
        if text == "." and before in words.TITLES:
            continue
        bare = _POSSESSIVE.sub("", text)
        yield Token(bare, starts, ends_name=bare != text)
        starts = text in _STARTS_AFTER if not text[0].isalnum() else False
        before = text


def _at(
    tokens: Sequence[Token], place: int, runs: Runs, *, known_only: bool
) -> tuple[Mention | None, int]:
    """What begins here, and how many tokens it takes."""
    known, length = _known_at(tokens, place)
    if known and place + length >= runs.ends[place]:
        written = " ".join(token.text for token in tokens[place : place + length])
        return Mention(known.type, known.name, normalise(known.name), written), length
    end = runs.name_ends[place]
    if end - place > NAME_WORDS_LIMIT or end == place or _is_skipped(tokens, place, runs):
        return None, 1
    kept = tokens[place:end]
    seen = NameRun(
        [one.text for one in kept],
        [one.text for one in tokens[max(0, place - 3) : place]],
        [one.text for one in tokens[place + len(kept) : place + len(kept) + 2]],
        starts=kept[0].starts,
        owns=kept[-1].ends_name,
    )
    type = kind_of(seen, sure=known_only)
    if type is None:
        return None, 1
    name = " ".join(seen.name)
    return Mention(type, name, normalise(name), " ".join(seen.words)), len(kept)


def _known_at(tokens: Sequence[Token], place: int) -> tuple[KnownName | None, int]:
    for length in range(min(longest_known(), len(tokens) - place), 0, -1):
        some = tokens[place : place + length]
        known = known_names().get(" ".join(one.text for one in some))
        if known and not (known.doubtful and some[0].starts):
            return known, length
    return None, 0


def _run_ends(tokens: Sequence[Token]) -> list[int]:
    """For each place, where the words with a capital that stand together there end, with the
    small words that join them; the place itself when none begins there."""
    ends = list(range(len(tokens)))
    begin = 0
    while begin < len(tokens):
        stop, last = begin, begin
        while stop < len(tokens) and _goes_on(tokens, begin, stop):
            last = stop + 1 if tokens[stop].is_capital else last
            stop += 1
        for place in range(begin, last):
            ends[place] = last if tokens[place].is_capital else place
        begin = max(stop, begin + 1)
    return ends


def _goes_on(tokens: Sequence[Token], begin: int, at: int) -> bool:
    if at > begin and tokens[at - 1].ends_name:
        return False
    return tokens[at].is_capital or (at > begin and _joins(tokens, at))


def _joins(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or not after.is_capital:
        return tokens[at].text in words.PARTICLES and at + 2 < len(tokens)
    of = tokens[at].text in ("of", "for") and tokens[at - 1].text in words.ORGANIZATION_STARTS
    return of or (tokens[at].text in words.PARTICLES and tokens[at].text not in ("la", "le"))


def _name_ends(tokens: Sequence[Token], run_ends: Sequence[int]) -> list[int]:
    """The ends of the runs without what is no name behind them."""
    ends = list(run_ends)
    run_end = cut = 0
    for place in reversed(range(len(tokens))):
        if run_ends[place] == place:
            continue
        if run_ends[place] != run_end:
            run_end = cut = run_ends[place]
        cut = cut or place + 1
        ends[place] = cut
        if tokens[place].is_never_a_name and not tokens[place].is_initial:
            cut = 0
    return ends


def _is_skipped(tokens: Sequence[Token], place: int, runs: Runs) -> bool:
    """Whether the first word of a run is most likely no part of a name."""
    first = tokens[place]
    if first.is_never_a_name or first.opens:
        return True
    if runs.ends[place] - place < 2 or not first.starts:
        return False
    after = tokens[place + 1].text
    before_somebody = after in words.FIRST_NAMES or after in words.TITLES
    return before_somebody and first.text.endswith(("ed", "ing"))


def _is_title(tokens: Sequence[Token]) -> bool:
    """A line in which every word that matters is written large is a heading."""
    said = [one.text for one in tokens if one.text[0].isalpha()]
    matter = [one for one in said if one.lower() not in words.SMALL_WORDS]
    return len(matter) >= 4 and all(one[0].isupper() for one in matter)


def _is_german(tokens: Sequence[Token]) -> bool:
    """German writes every noun large, so that a capital says nothing there."""
    said = [one.text for one in tokens if one.text[0].isalpha()]
    return sum(one in words.GERMAN_WORDS for one in said) >= 2


def _tagged(tag: str) -> Mention:
    known = known_words().get(normalise(tag))
    if known and not known.doubtful:
        return Mention(known.type, known.name, normalise(known.name), tag)
    return Mention("concept", tag.strip(), normalise(tag), tag)


def _once(mentions: Iterable[Mention]) -> list[Mention]:
    """A thing named twice is mentioned once; a tag adds nothing to what the text names."""
    found: dict[str, Mention] = {}
    for one in mentions:
        if one.normalized:
            found.setdefault(one.normalized, one)
    return list(found.values())

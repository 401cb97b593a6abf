"""The things a text mentions, by rules: precise rather than many."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from remem.core.graph import lexicon as words
from remem.core.graph.kinds import Seen, kind_of
from remem.core.graph.model import Mention
from remem.core.graph.names import KnownName, known_names, known_words, normalise
from remem.core.graph.patterns import take_patterns

MENTIONS_LIMIT = 20
_LONGEST_KNOWN = 4
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
    found: list[Mention] = []
    place = 0
    while place < len(tokens):
        mention, length = _at(tokens, place, known_only=known_only)
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


def _at(tokens: Sequence[Token], place: int, *, known_only: bool) -> tuple[Mention | None, int]:
    """What begins here, and how many tokens it takes."""
    known, length = _known_at(tokens, place)
    run = _run(tokens, place)
    if known and length >= len(run):
        written = " ".join(one.text for one in tokens[place : place + length])
        return Mention(known.type, known.name, normalise(known.name), written), length
    if not run:
        return None, 1
    kept, skipped = _trimmed(run)
    if not kept or skipped:
        return None, max(1, skipped or len(run))
    seen = Seen(
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
    for length in range(min(_LONGEST_KNOWN, len(tokens) - place), 0, -1):
        some = tokens[place : place + length]
        known = known_names().get(" ".join(one.text for one in some))
        if known and not (known.doubtful and some[0].starts):
            return known, length
    return None, 0


def _run(tokens: Sequence[Token], place: int) -> list[Token]:
    """Words with a capital that stand together, with the small words that join them."""
    run: list[Token] = []
    for at in range(place, len(tokens)):
        one = tokens[at]
        if not (one.is_capital or (run and _joins(tokens, at))):
            break
        run.append(one)
        if one.ends_name:
            break
    return _until_capital(run)


def _joins(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or not after.is_capital:
        return tokens[at].text in words.PARTICLES and at + 2 < len(tokens)
    of = tokens[at].text in ("of", "for") and tokens[at - 1].text in words.ORGANIZATION_STARTS
    return of or (tokens[at].text in words.PARTICLES and tokens[at].text not in ("la", "le"))


def _trimmed(run: Sequence[Token]) -> tuple[list[Token], int]:
    """The run without what is no name at its end, and how many words to pass over first."""
    if run[0].is_never_a_name or run[0].opens:
        return [], 1
    before_somebody = len(run) > 1 and run[1].text in words.FIRST_NAMES | words.TITLES
    if run[0].starts and before_somebody and run[0].text.endswith(("ed", "ing")):
        return [], 1
    kept: list[Token] = []
    for one in run:
        if one.is_capital and one.is_never_a_name and not one.is_initial:
            break
        kept.append(one)
    return _until_capital(kept), 0


def _until_capital(run: list[Token]) -> list[Token]:
    while run and not run[-1].is_capital:
        run = run[:-1]
    return run


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

"""Find the entities a text mentions, by rules that prefer precision over recall."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from remem.core.language.names import lexicon as words
from remem.core.language.names.forms import (
    KnownName,
    known_names,
    known_words,
    longest_known_name,
    normalise,
)
from remem.core.language.names.kinds import NAME_WORDS_LIMIT, NameRun, kind_of
from remem.core.language.names.model import Mention
from remem.core.language.names.patterns import extract_patterns
from remem.core.language.names.secrets import hide_secrets

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
        """Whether it is a common first word of statements."""
        return self.starts and self.text.lower() in words.OPENERS


@dataclass(frozen=True, slots=True)
class Runs:
    """For each token of a line, where the run of capitalised words that starts there ends, and
    where the name ends. Both are the token's own index when none starts there."""

    ends: Sequence[int]
    name_ends: Sequence[int]


def entities_in(text: str, tags: Sequence[str] = ()) -> list[Mention]:
    """Each entity once, in the order of the text. Tags are concepts, unless they are known
    names."""
    mentions, rest = extract_patterns(hide_secrets(text))
    for line in rest.splitlines():
        mentions += _mentions_in_line(line)
    mentions += [_mention_of_tag(tag) for tag in tags if normalise(tag)]
    return _unique(mentions)[:MENTIONS_LIMIT]


def _mentions_in_line(line: str) -> list[Mention]:
    tokens = list(_tokens(line))
    known_only = bool(_HEADING.match(line)) or _is_title(tokens) or _is_german(tokens)
    ends = _run_ends(tokens)
    runs = Runs(ends, _name_ends(tokens, ends))
    mentions: list[Mention] = []
    index = 0
    while index < len(tokens):
        mention, length = _mention_at(tokens, index, runs, known_only=known_only)
        mentions += [mention] if mention else []
        index += length
    return mentions


def _tokens(line: str) -> Iterator[Token]:
    starts = True
    previous = ""
    for match in _TOKEN.finditer(line):
        text = match.group()
        if text == "." and previous in words.TITLES:
            continue
        without_possessive = _POSSESSIVE.sub("", text)
        yield Token(without_possessive, starts, ends_name=without_possessive != text)
        starts = text in _STARTS_AFTER if not text[0].isalnum() else False
        previous = text


def _mention_at(
    tokens: Sequence[Token], index: int, runs: Runs, *, known_only: bool
) -> tuple[Mention | None, int]:
    """The mention that starts here, and how many tokens it takes."""
    known, length = _known_name_at(tokens, index)
    if known and index + length >= runs.ends[index]:
        written = " ".join(token.text for token in tokens[index : index + length])
        return Mention(known.type, known.name, normalise(known.name), written), length
    end = runs.name_ends[index]
    if end - index > NAME_WORDS_LIMIT or end == index or _is_skipped(tokens, index, runs):
        return None, 1
    name_tokens = tokens[index:end]
    run = NameRun(
        [token.text for token in name_tokens],
        [token.text for token in tokens[max(0, index - 3) : index]],
        [token.text for token in tokens[index + len(name_tokens) : index + len(name_tokens) + 2]],
        starts=name_tokens[0].starts,
        owns=name_tokens[-1].ends_name,
    )
    type = kind_of(run, sure=known_only)
    if type is None:
        return None, 1
    name = " ".join(run.name)
    return Mention(type, name, normalise(name), " ".join(run.words)), len(name_tokens)


def _known_name_at(tokens: Sequence[Token], index: int) -> tuple[KnownName | None, int]:
    for length in range(min(longest_known_name(), len(tokens) - index), 0, -1):
        candidate = tokens[index : index + length]
        known = known_names().get(" ".join(token.text for token in candidate))
        if known and not (known.doubtful and candidate[0].starts):
            return known, length
    return None, 0


def _run_ends(tokens: Sequence[Token]) -> list[int]:
    """For each token, where the run of capitalised words that starts there ends, including the
    small words that join them; the token's own index when none starts there."""
    ends = list(range(len(tokens)))
    begin = 0
    while begin < len(tokens):
        stop, last = begin, begin
        while stop < len(tokens) and _continues_run(tokens, begin, stop):
            last = stop + 1 if tokens[stop].is_capital else last
            stop += 1
        for index in range(begin, last):
            ends[index] = last if tokens[index].is_capital else index
        begin = max(stop, begin + 1)
    return ends


def _continues_run(tokens: Sequence[Token], begin: int, at: int) -> bool:
    if at > begin and tokens[at - 1].ends_name:
        return False
    return tokens[at].is_capital or (at > begin and _is_joining_word(tokens, at))


def _is_joining_word(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or not after.is_capital:
        return tokens[at].text in words.PARTICLES and at + 2 < len(tokens)
    is_of_or_for = (
        tokens[at].text in ("of", "for") and tokens[at - 1].text in words.ORGANIZATION_STARTS
    )
    return is_of_or_for or (
        tokens[at].text in words.PARTICLES and tokens[at].text not in ("la", "le")
    )


def _name_ends(tokens: Sequence[Token], run_ends: Sequence[int]) -> list[int]:
    """The ends of the names: the runs without trailing words that are never names."""
    ends = list(run_ends)
    run_end = cut = 0
    for index in reversed(range(len(tokens))):
        if run_ends[index] == index:
            continue
        if run_ends[index] != run_end:
            run_end = cut = run_ends[index]
        cut = cut or index + 1
        ends[index] = cut
        if tokens[index].is_never_a_name and not tokens[index].is_initial:
            cut = 0
    return ends


def _is_skipped(tokens: Sequence[Token], index: int, runs: Runs) -> bool:
    """Whether the first word of a run is probably not part of a name."""
    first = tokens[index]
    if first.is_never_a_name or first.opens:
        return True
    if runs.ends[index] - index < 2 or not first.starts:
        return False
    after = tokens[index + 1].text
    is_before_person = after in words.FIRST_NAMES or after in words.TITLES
    return is_before_person and first.text.endswith(("ed", "ing"))


def _is_title(tokens: Sequence[Token]) -> bool:
    """Whether a line is a heading: every significant word is capitalised."""
    texts = [token.text for token in tokens if token.text[0].isalpha()]
    significant = [text for text in texts if text.lower() not in words.SMALL_WORDS]
    return len(significant) >= 4 and all(text[0].isupper() for text in significant)


def _is_german(tokens: Sequence[Token]) -> bool:
    """Whether a line is German, where every noun is capitalised and capitals say nothing."""
    texts = [token.text for token in tokens if token.text[0].isalpha()]
    return sum(text in words.GERMAN_WORDS for text in texts) >= 2


def _mention_of_tag(tag: str) -> Mention:
    known = known_words().get(normalise(tag))
    if known and not known.doubtful:
        return Mention(known.type, known.name, normalise(known.name), tag)
    return Mention("concept", tag.strip(), normalise(tag), tag)


def _unique(mentions: Iterable[Mention]) -> list[Mention]:
    """Remove duplicates. A tag adds nothing when the text already names the entity."""
    by_name: dict[str, Mention] = {}
    for mention in mentions:
        if mention.normalized:
            by_name.setdefault(mention.normalized, mention)
    return list(by_name.values())

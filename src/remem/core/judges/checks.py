"""What of a model's answer is used: only what the text says, letter by letter. Pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from remem.core.judgements import Fact, Known, Passage, Relation, Statement
from remem.core.judges import prompts
from remem.core.language.names import lexicon
from remem.core.language.names.forms import normalise
from remem.core.language.names.mentions import MENTIONS_LIMIT
from remem.core.language.names.model import Mention
from remem.core.language.person import depends_on_speaker
from remem.core.language.times.statements import times_in
from remem.core.memories.rules.dates import dates_in, due_of, occurred_at, read_times
from remem.core.memories.rules.derive import derive
from remem.core.memories.rules.distil import STATEMENTS_LIMIT
from remem.core.memories.rules.merge import names_of

STATEMENT_CHARS = 500
NAME_CHARS = 80
# So many of a statement's words stand in its expansion, or that says something else.
KEPT_WORDS = 0.6
# And so many of a merged statement's words are theirs that it merges.
OWN_WORDS = 0.8
_ORDER = {"noop": 0, "update": 1, "extend": 2, "similar": 3}
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
# Found by their form alone, in which no model is surer than a pattern.
_BY_FORM = frozenset({"file", "api"})


def offered_relations(
    answer: prompts.Classification, known: Sequence[Known]
) -> list[Relation] | None:
    """None when it names what was not offered."""
    offered = {str(one.id): one.id for one in known}
    if any(one.id not in offered or not 0 <= one.confidence <= 1 for one in answer.relations):
        return None
    relations = [
        Relation(one.action, offered[one.id], one.confidence, ("by the language model",))
        for one in answer.relations
    ]
    return sorted(relations, key=lambda one: (_ORDER[one.action], -one.confidence))


def expansion(answer: prompts.Sentence, content: str) -> str | None:
    """It says all that the statement says, and gives no number that the statement does not."""
    said = one_line(answer.text)
    given, kept = _words(content), _words(said)
    same_numbers = set(_NUMBER.findall(said)) == set(_NUMBER.findall(content))
    enough = len(given & kept) >= KEPT_WORDS * len(given) and len(said) <= 2 * STATEMENT_CHARS
    return said if same_numbers and enough and said != content else None


def one_line(text: str) -> str:
    return " ".join(text.replace("\x00", "").split())


def merged_statement(answer: prompts.Sentence, contents: Sequence[str]) -> str | None:
    """It has the names and numbers of all and no others, and most of the words of each."""
    said, together = one_line(answer.text), " ".join(contents)
    kept, given = _words(said), _words(together)
    if set(_NUMBER.findall(said)) != set(_NUMBER.findall(together)):
        return None
    if not names_of(together) <= set(_WORD.findall(said)):
        return None
    each = all(len(_words(one) & kept) >= KEPT_WORDS * len(_words(one)) for one in contents)
    own = len(kept & given) >= OWN_WORDS * len(kept) and len(said) <= len(together)
    return said if each and own else None


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}


def quoted_statements(answer: prompts.Distilled, group: Sequence[Passage]) -> list[Statement]:
    found = (_quoted_statement(one, group) for one in answer.statements)
    return [one for one in found if one]


def _quoted_statement(quoted: prompts.Quoted, group: Sequence[Passage]) -> Statement | None:
    """Only what the text says, letter by letter, and with no number that it does not give."""
    quote, content = quoted.quote.strip(), " ".join(quoted.statement.split())
    if len(quote) < 8 or not 0 < len(content) <= STATEMENT_CHARS:
        return None
    source = next((one for one in group if quote in one.text), None)
    if source is None or not 0 <= quoted.confidence <= 1 or not _grounded(content, quote, source):
        return None
    if not source.speaker and depends_on_speaker(f"{content} {quote}"):
        # Whom a page calls "I" is not the user.
        return None
    times = read_times(quote, source.said_at)
    certain = times.certain()
    past = quoted.category in ("episode", "decision")
    start = source.start + source.text.index(quote)
    return Statement(
        content=content,
        category=quoted.category,
        confidence=round(min(quoted.confidence, 0.95), 2),
        start=start,
        end=start + len(quote),
        speaker=source.speaker,
        dates=times.dates(),
        said_at=source.said_at,
        occurred_at=occurred_at(certain, source.said_at) if past else None,
        due_at=due_of(quote, certain, source.said_at),
    )


def _grounded(content: str, quote: str, source: Passage) -> bool:
    given = quote + source.speaker
    if source.said_at:
        times = times_in(quote, source.said_at)
        given += f" {source.said_at:%d %m %Y} {source.said_at.day}" + "".join(
            f" {one.words} {one.first:%d %m %Y} {one.first.day} {one.last:%d %m %Y} {one.last.day}"
            for one in times
        )
    numbers = set(_NUMBER.findall(given))
    return all(number in numbers for number in _NUMBER.findall(content))


def quoted_facts(
    answer: prompts.DerivedParts, content: str, said_at: datetime | None
) -> list[Fact] | None:
    return list(_quoted_facts(answer, content, said_at)) or None


def _quoted_facts(
    answer: prompts.DerivedParts, content: str, said_at: datetime | None
) -> Iterator[Fact]:
    for part in answer.facts[:STATEMENTS_LIMIT]:
        quote, statement = part.quote.strip(), " ".join(part.statement.split())
        grounded = _grounded(statement, content, Passage(content, 0, said_at=said_at))
        if not quote or quote not in content or not grounded or len(statement) > STATEMENT_CHARS:
            continue
        [*facts] = derive(statement, said_at)
        start = content.index(quote)
        if statement and facts:
            first = facts[0]
            category = first.category
            dates = dates_in(quote, said_at)
            yield Fact(statement, category, start, start + len(quote), first.due_at, dates)


def named_mentions(answer: prompts.Names, text: str) -> list[Mention] | None:
    """None if it contains names that are not in the text."""
    named = [mention for one in answer.entities if (mention := _named_mention(one, text))]
    return named if named or not answer.entities else None


def _named_mention(named: prompts.Named, text: str) -> Mention | None:
    name = named.name.strip()
    if not 1 < len(name) <= NAME_CHARS or not normalise(name) or _is_common(name):
        return None
    if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return None
    return Mention(named.type, name, normalise(name), name)


def _is_common(name: str) -> bool:
    """A day, a pronoun or a number is not a name, whichever judge says so."""
    days = name.capitalize() in lexicon.MONTHS | lexicon.DAYS
    return days or name.casefold() in lexicon.FUNCTION_WORDS or not re.search(r"[^\W\d_]", name)


def with_mentions_by_form(
    named: Sequence[Mention], ruled: Sequence[Mention], tags: Sequence[str]
) -> list[Mention]:
    """With the tags, and what the rules know by its form; of two of a name, the model's."""
    tagged = {normalise(tag) for tag in tags}
    by_form = [one for one in ruled if one.type in _BY_FORM or one.normalized in tagged]
    found = {one.normalized: one for one in (*by_form, *named)}
    return list(found.values())[:MENTIONS_LIMIT]

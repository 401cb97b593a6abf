"""Check a model's answers: only what the text says, character by character, is used. Pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from remem.core.judgements import Fact, KnownMemory, Passage, Relation, Statement
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
# The share of a statement's words that its expansion must contain.
MIN_KEPT_WORDS = 0.6
# The share of a merged statement's words that must come from the statements it merges.
MIN_SOURCE_WORDS = 0.8
_ACTION_ORDER = {"noop": 0, "update": 1, "extend": 2, "similar": 3}
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
# Types that a pattern recognises at least as well as a model.
_BY_FORM = frozenset({"file", "api"})


def offered_relations(
    answer: prompts.Classification, known: Sequence[KnownMemory]
) -> list[Relation] | None:
    """The relations of an answer, or None when it names a memory that was not offered, or one
    twice."""
    offered = {str(memory.id): memory.id for memory in known}
    ids = [classified.id for classified in answer.relations]
    is_valid = all(0 <= classified.confidence <= 1 for classified in answer.relations)
    if not is_valid or not offered.keys() >= set(ids) or len(set(ids)) < len(ids):
        return None
    relations = [
        Relation(
            classified.action,
            offered[classified.id],
            classified.confidence,
            ("by the language model",),
        )
        for classified in answer.relations
    ]
    return sorted(
        relations, key=lambda relation: (_ACTION_ORDER[relation.action], -relation.confidence)
    )


def expansion(answer: prompts.Sentence, content: str) -> str | None:
    """The expanded statement, if it has the same numbers and most of the words of the original."""
    text = single_line(answer.text)
    original_words, expanded_words = _words(content), _words(text)
    same_numbers = set(_NUMBER.findall(text)) == set(_NUMBER.findall(content))
    is_similar = (
        len(original_words & expanded_words) >= MIN_KEPT_WORDS * len(original_words)
        and len(text) <= 2 * STATEMENT_CHARS
    )
    return text if same_numbers and is_similar and text != content else None


def single_line(text: str) -> str:
    return " ".join(text.replace("\x00", "").split())


def merged_statement(answer: prompts.Sentence, contents: Sequence[str]) -> str | None:
    """The merged statement, if it has all names and exactly the numbers of the originals, and most
    of the words of each."""
    text, originals = single_line(answer.text), " ".join(contents)
    merged_words, original_words = _words(text), _words(originals)
    if set(_NUMBER.findall(text)) != set(_NUMBER.findall(originals)):
        return None
    if not names_of(originals) <= set(_WORD.findall(text)):
        return None
    covers_each = all(
        len(_words(content) & merged_words) >= MIN_KEPT_WORDS * len(_words(content))
        for content in contents
    )
    adds_little = len(merged_words & original_words) >= MIN_SOURCE_WORDS * len(
        merged_words
    ) and len(text) <= len(originals)
    return text if covers_each and adds_little else None


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}


def quoted_statements(answer: prompts.Distilled, group: Sequence[Passage]) -> list[Statement]:
    statements = (_quoted_statement(quoted, group) for quoted in answer.statements)
    return [statement for statement in statements if statement]


def _quoted_statement(quoted: prompts.Quoted, group: Sequence[Passage]) -> Statement | None:
    """The statement, if its quote is in the text and it has no number that the text lacks."""
    quote, content = quoted.quote.strip(), " ".join(quoted.statement.split())
    if len(quote) < 8 or not 0 < len(content) <= STATEMENT_CHARS:
        return None
    source = next((passage for passage in group if quote in passage.text), None)
    if (
        source is None
        or not 0 <= quoted.confidence <= 1
        or not _is_grounded(content, quote, source)
    ):
        return None
    if not source.is_known and depends_on_speaker(f"{content} {quote}"):
        # The "I" of a web page is not the user.
        return None
    times = read_times(quote, source.said_at)
    certain = times.certain()
    is_past = quoted.category in ("episode", "decision")
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
        occurred_at=occurred_at(certain, source.said_at) if is_past else None,
        due_at=due_of(quote, certain, source.said_at),
    )


def _is_grounded(content: str, quote: str, source: Passage) -> bool:
    """Whether every number of the content is in the quote, or part of a date that it implies."""
    evidence = quote + source.speaker
    if source.said_at:
        times = times_in(quote, source.said_at)
        evidence += f" {source.said_at:%d %m %Y} {source.said_at.day}" + "".join(
            f" {time.words} {time.first:%d %m %Y} {time.first.day}"
            f" {time.last:%d %m %Y} {time.last.day}"
            for time in times
        )
    numbers = set(_NUMBER.findall(evidence))
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
        grounded = _is_grounded(statement, content, Passage(content, 0, said_at=said_at))
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
    """The mentions that are in the text, or None if the model named only others."""
    mentions = [mention for named in answer.entities if (mention := _named_mention(named, text))]
    return mentions if mentions or not answer.entities else None


def _named_mention(named: prompts.Named, text: str) -> Mention | None:
    name = named.name.strip()
    if not 1 < len(name) <= NAME_CHARS or not normalise(name) or _is_common(name):
        return None
    if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return None
    return Mention(named.type, name, normalise(name), name)


def _is_common(name: str) -> bool:
    """Whether it is a day, a pronoun or a number, which are never names."""
    is_day = name.capitalize() in lexicon.MONTHS | lexicon.DAYS
    return is_day or name.casefold() in lexicon.FUNCTION_WORDS or not re.search(r"[^\W\d_]", name)


def with_mentions_by_form(
    by_model: Sequence[Mention], by_rules: Sequence[Mention], tags: Sequence[str]
) -> list[Mention]:
    """The model's mentions, plus those of the rules that are tags or recognised by their form.

    For one name, the model's mention wins."""
    tagged = {normalise(tag) for tag in tags}
    by_form = [
        mention for mention in by_rules if mention.type in _BY_FORM or mention.normalized in tagged
    ]
    by_name = {mention.normalized: mention for mention in (*by_form, *by_model)}
    return list(by_name.values())[:MENTIONS_LIMIT]

"""What a language model says a text mentions: only names that stand in it, letter by letter."""

import re
from collections.abc import Sequence

import structlog

from remem.core.analysis import analyse
from remem.core.errors import Unavailable
from remem.core.graph import prompts
from remem.core.language.names import lexicon
from remem.core.language.names.forms import normalise
from remem.core.language.names.mentions import MENTIONS_LIMIT, entities_in
from remem.core.language.names.model import Mention
from remem.core.ports import Ports

ASK_CHARS = 8_000
NAME_CHARS = 80
# Found by their form alone, in which no model is surer than a pattern.
_BY_FORM = frozenset({"file", "api"})

log = structlog.get_logger()


async def mentions_by_model(ports: Ports, text: str, tags: Sequence[str]) -> list[Mention] | None:
    """None when there is no model, or no answer of use: then the rules' mentions stay."""
    if ports.llm is None:
        return None
    read = text[:ASK_CHARS]
    try:
        answer = await ports.llm.ask(prompts.name_entities(read), prompts.Names)
    except Unavailable as error:
        log.warning("llm_unused", purpose="entities", error=error.code)
        return None
    named = [mention for one in answer.entities if (mention := _standing(one, read))]
    if answer.entities and not named:
        log.warning("llm_unused", purpose="entities", error="not_in_the_text")
        return None
    ruled = await analyse(ports, [], entities_in, text, tuple(tags))
    return _joined(named, ruled, tags)


def _standing(named: prompts.Named, text: str) -> Mention | None:
    name = named.name.strip()
    if not 1 < len(name) <= NAME_CHARS or not normalise(name) or _is_common(name):
        return None
    if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return None
    return Mention(named.type, name, normalise(name), name)


def _is_common(name: str) -> bool:
    """A day, a pronoun or a number names nothing in particular, whoever says so."""
    days = name.capitalize() in lexicon.MONTHS | lexicon.DAYS
    return days or name.casefold() in lexicon.FUNCTION_WORDS or not re.search(r"[^\W\d_]", name)


def _joined(
    named: Sequence[Mention], ruled: Sequence[Mention], tags: Sequence[str]
) -> list[Mention]:
    """With the tags, and what the rules know by its form; of two of a name, the model's."""
    tagged = {normalise(tag) for tag in tags}
    by_form = [one for one in ruled if one.type in _BY_FORM or one.normalized in tagged]
    found = {one.normalized: one for one in (*by_form, *named)}
    return list(found.values())[:MENTIONS_LIMIT]

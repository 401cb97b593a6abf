"""General knowledge about attributes: which have one value and which have many."""

from typing import Literal

from remem.core.language.lists import phrases, table, word_set
from remem.core.language.words import stem, stem_set

Arity = Literal["one", "now", "each", "each_now", "many", "open"]
"""How many values an attribute has. `one`: a new value replaces the old one. `now`: only if the
statement says that it is new. `each`: one value per kind of thing. `each_now`: one per kind, and
only if it is new. `many`: several values at once. `open`: unknown."""


MANY_NOUNS = stem_set("attributes", "many_nouns")
ONE_NOUNS = stem_set("attributes", "one_nouns")
TOPICS = stem_set("attributes", "topics")
TYPES = stem_set("attributes", "types")
ONE_TYPES = stem_set("attributes", "one_types")
ONE_PURPOSES = stem_set("attributes", "one_purposes")
SYNONYMS = {
    stem(word): stem(first)
    for first, *others in phrases("attributes", "synonyms")
    for word in others
}


def canonical(base: str) -> str:
    return SYNONYMS.get(base, base)


_SEPARATE_RELATIONS = word_set("attributes", "apart")
_VERB_TABLE: dict[tuple[str, str], tuple[str, Arity]] = {}
# The words that may express each relation.
WORDS_OF_RELATION: dict[str, set[str]] = {}


def _read_relations() -> None:
    for name, relation in table("attributes")["relations"].items():
        for phrase in relation["verbs"]:
            _add_verb(name, relation["values"], phrase.split())


def _add_verb(name: str, arity: Arity, phrase: list[str]) -> None:
    key = [stem(word) for word in phrase]
    preposition = key[-1] if len(key) > 1 and phrase[-1] in PREPOSITIONS else ""
    verb = " ".join(key[: len(key) - bool(preposition)])
    relation = " ".join(key) if name in _SEPARATE_RELATIONS else stem(name)
    _VERB_TABLE[verb, preposition] = (relation, arity)
    if name not in _SEPARATE_RELATIONS and arity != "many":
        words = (word for word in phrase if word not in PREPOSITIONS)
        WORDS_OF_RELATION.setdefault(relation, set()).update(words)


# After these verbs, "by" names the only doer; after others there may be more.
ONE_DOER = stem_set("attributes", "one_doer")
PREPOSITIONS = word_set("attributes", "prepositions")


_read_relations()
WORDS_OF_RELATION[stem("employer")] |= {"start", "begin", "job"}
VERBS = frozenset(part for verb, _ in _VERB_TABLE for part in verb.split()) | stem_set(
    "attributes", "verbs"
)


def verb_frame(verb: str, preposition: str) -> tuple[str, Arity] | None:
    return _VERB_TABLE.get((verb, preposition))

"""The entities a text mentions, by rules, and which entity a name refers to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis.strategies import text

from remem.core.graph.merge import merge
from remem.core.graph.model import Entity
from remem.core.language.names.forms import normalise
from remem.core.language.names.mentions import MENTIONS_LIMIT, entities_in
from remem.core.language.names.model import EntityType, Mention
from remem.core.time import new_id
from tests.core.named_things import SENTENCES, UNSEEN, Sentence


def entities_by_rules(text: str, *tags: str) -> set[tuple[str, str]]:
    return {(mention.type, mention.name) for mention in entities_in(text, tags)}


@pytest.mark.parametrize(
    ("name", "table", "precision", "recall"),
    [("tuned", SENTENCES, 0.95, 0.95), ("unseen", UNSEEN, 0.9, 0.9)],
)
def test_entities_are_found_precisely(
    name: str, table: list[Sentence], precision: float, recall: float
) -> None:
    """Type and name both have to be right."""
    count: Counter[str] = Counter()
    for sentence in table:
        found = entities_by_rules(sentence.text)
        count.update(right=len(found & sentence.things), found=len(found))
        count.update(wanted=len(sentence.things))
        if found != sentence.things:
            print(f"{sentence.text!r}: {sorted(found ^ sentence.things)}")
    scores = count["right"] / count["found"], count["right"] / count["wanted"]
    print(f"{name}, {len(table)} sentences: precision %.3f, recall %.3f" % scores)
    assert scores[0] >= precision
    assert scores[1] >= recall


def test_tags_are_concepts_unless_they_name_a_known_entity() -> None:
    found = entities_by_rules("Ada wrote it.", "graph-theory", "postgres", "ada", " ")
    assert found == {("person", "Ada"), ("concept", "graph-theory"), ("technology", "PostgreSQL")}


def test_an_entity_is_mentioned_once_however_often_it_is_named() -> None:
    text = "We use Postgres. PostgreSQL is good, and postgres is fast."
    assert [mention.name for mention in entities_in(text)] == ["PostgreSQL"]


def test_the_number_of_mentions_is_bounded() -> None:
    text = " ".join(f"see file_{n}.py" for n in range(100))
    assert len(entities_in(text)) == MENTIONS_LIMIT


@pytest.mark.parametrize(
    "text", ["", "\n", "...", "·", "A", "I", "'s", "# ", "🙂", "ÀÉ", "x" * 999]
)
def test_a_text_without_names_mentions_nothing(text: str) -> None:
    assert entities_by_rules(text) == set()


@given(text())
def test_any_text_can_be_read(text: str) -> None:
    for mention in entities_in(text):
        assert mention.name
        assert mention.normalized == normalise(mention.name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dr. Ada Lovelace", "ada lovelace"),
        ("José Álvarez", "Jose Alvarez"),
        ("graph-theory", "Graph Theory"),
        ("O’Brien", "O'Brien"),
    ],
)
def test_different_spellings_of_a_name_have_one_form(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


# Which entity a name refers to


def person(name: str) -> Mention:
    return Mention("person", name, normalise(name), name)


def entity(name: str, type: EntityType = "person") -> Entity:
    return Entity(new_id(), type, name, normalise(name), [])


def test_a_first_name_refers_to_the_only_person_with_it() -> None:
    ada = entity("Ada Lovelace")
    merged = merge([person("Ada")], [ada])
    assert (merged.ids, merged.created) == ([ada.id], [])
    assert [updated.aliases for updated in merged.updated] == [["Ada"]]


def test_a_first_name_that_two_people_have_refers_to_neither() -> None:
    merged = merge([person("Ada")], [entity("Ada Lovelace"), entity("Ada Byron")])
    assert [created.name for created in merged.created] == ["Ada"]


def test_a_full_name_extends_a_known_first_name() -> None:
    ada = entity("Ada")
    merged = merge([person("Ada Lovelace")], [ada])
    (changed,) = merged.updated
    assert (changed.id, changed.name, changed.aliases) == (ada.id, "Ada Lovelace", ["Ada"])
    assert changed.name_normalized == "ada lovelace"


def test_a_second_full_name_is_another_person() -> None:
    merged = merge([person("Ada Byron")], [entity("Ada Lovelace")])
    assert [created.name for created in merged.created] == ["Ada Byron"]


def test_both_names_in_one_text_are_one_person() -> None:
    merged = merge([person("Ada"), person("Ada Lovelace")], [])
    assert [(created.name, created.aliases) for created in merged.created] == [
        ("Ada Lovelace", ["Ada"])
    ]


def test_a_concept_gets_a_more_specific_type() -> None:
    kestrel = entity("Kestrel", "concept")
    merged = merge([Mention("system", "Kestrel", "kestrel", "Kestrel")], [kestrel])
    assert [(updated.id, updated.type) for updated in merged.updated] == [(kestrel.id, "system")]

"""What a text mentions, by rules; and which entity a name means."""

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


def things(text: str, *tags: str) -> set[tuple[str, str]]:
    return {(one.type, one.name) for one in entities_in(text, tags)}


@pytest.mark.parametrize(
    ("name", "table", "precision", "recall"),
    [("tuned", SENTENCES, 0.95, 0.95), ("unseen", UNSEEN, 0.9, 0.9)],
)
def test_things_are_found_precisely(
    name: str, table: list[Sentence], precision: float, recall: float
) -> None:
    """Type and name both have to be right."""
    count: Counter[str] = Counter()
    for sentence in table:
        found = things(sentence.text)
        count.update(right=len(found & sentence.things), found=len(found))
        count.update(wanted=len(sentence.things))
        if found != sentence.things:
            print(f"{sentence.text!r}: {sorted(found ^ sentence.things)}")
    measured = count["right"] / count["found"], count["right"] / count["wanted"]
    print(f"{name}, {len(table)} sentences: precision %.3f, recall %.3f" % measured)
    assert measured[0] >= precision
    assert measured[1] >= recall


def test_tags_are_concepts_unless_they_name_a_known_thing() -> None:
    found = things("Ada wrote it.", "graph-theory", "postgres", "ada", " ")
    assert found == {("person", "Ada"), ("concept", "graph-theory"), ("technology", "PostgreSQL")}


def test_a_thing_is_mentioned_once_however_often_it_is_named() -> None:
    text = "We use Postgres. PostgreSQL is good, and postgres is fast."
    assert [one.name for one in entities_in(text)] == ["PostgreSQL"]


def test_the_number_of_mentions_is_bounded() -> None:
    text = " ".join(f"see file_{n}.py" for n in range(100))
    assert len(entities_in(text)) == MENTIONS_LIMIT


@pytest.mark.parametrize(
    "text", ["", "\n", "...", "·", "A", "I", "'s", "# ", "🙂", "ÀÉ", "x" * 999]
)
def test_nothing_in_particular_is_no_thing(text: str) -> None:
    assert things(text) == set()


@given(text())
def test_any_text_can_be_read(text: str) -> None:
    for one in entities_in(text):
        assert one.name
        assert one.normalized == normalise(one.name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dr. Ada Lovelace", "ada lovelace"),
        ("José Álvarez", "Jose Alvarez"),
        ("graph-theory", "Graph Theory"),
        ("O’Brien", "O'Brien"),
    ],
)
def test_names_written_differently_have_one_form(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


# Which entity a name means


def person(name: str) -> Mention:
    return Mention("person", name, normalise(name), name)


def entity(name: str, type: EntityType = "person") -> Entity:
    return Entity(new_id(), type, name, normalise(name), [])


def test_a_first_name_means_the_only_one_who_has_it() -> None:
    ada = entity("Ada Lovelace")
    merged = merge([person("Ada")], [ada])
    assert (merged.ids, merged.created) == ([ada.id], [])
    assert [one.aliases for one in merged.updated] == [["Ada"]]


def test_a_first_name_that_two_have_means_neither() -> None:
    merged = merge([person("Ada")], [entity("Ada Lovelace"), entity("Ada Byron")])
    assert [one.name for one in merged.created] == ["Ada"]


def test_a_full_name_takes_over_a_first_name_that_was_alone() -> None:
    ada = entity("Ada")
    merged = merge([person("Ada Lovelace")], [ada])
    (changed,) = merged.updated
    assert (changed.id, changed.name, changed.aliases) == (ada.id, "Ada Lovelace", ["Ada"])
    assert changed.name_normalized == "ada lovelace"


def test_a_second_full_name_is_somebody_else() -> None:
    merged = merge([person("Ada Byron")], [entity("Ada Lovelace")])
    assert [one.name for one in merged.created] == ["Ada Byron"]


def test_both_names_in_one_text_are_one_person() -> None:
    merged = merge([person("Ada"), person("Ada Lovelace")], [])
    assert [(one.name, one.aliases) for one in merged.created] == [("Ada Lovelace", ["Ada"])]


def test_a_concept_turns_out_to_be_something() -> None:
    kestrel = entity("Kestrel", "concept")
    merged = merge([Mention("system", "Kestrel", "kestrel", "Kestrel")], [kestrel])
    assert [(one.id, one.type) for one in merged.updated] == [(kestrel.id, "system")]

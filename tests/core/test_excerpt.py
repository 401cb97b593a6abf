"""The excerpt of a chunk: whole sentences that match the query."""

import pytest

from remem.core.search.excerpt import EXCERPT_CHARS, excerpt, statement

REPAIRMAN = "The repairman for the dishwasher comes on Thursday between nine and eleven."
CHRISTMAS = "We decided to spend Christmas at my parents' in Bergen."
FILLER = "The weather stayed grey for the whole of that week and nobody went outside at all. "
LONG = f"Call with Mara. {REPAIRMAN} {FILLER * 3}{CHRISTMAS} {FILLER * 2}"


@pytest.mark.parametrize(
    "query",
    ["where are we at Christmas?", "CHRISTMAS", "my parent", "spending Christmas with parents"],
)
def test_the_sentence_with_the_words_of_the_query_is_shown(query: str) -> None:
    shown = statement(LONG, [REPAIRMAN], query)
    assert shown.startswith(CHRISTMAS)
    assert REPAIRMAN not in shown
    assert len(shown) <= EXCERPT_CHARS


def test_a_memory_is_shown_if_it_matches_as_well() -> None:
    memory = "Christmas will be spent at the parents' in Bergen."
    assert statement(LONG, [REPAIRMAN, memory], "where are we at Christmas?") == memory
    assert statement(LONG, [REPAIRMAN, memory], "where is the swimming pool?") == REPAIRMAN


def test_a_rare_word_counts_more_than_common_ones() -> None:
    common = "The team met and the team talked about the budget of the team. "
    text = f"{common * 5}Oslo gets a new office. {common * 5}"
    assert "Oslo" in excerpt(text, "team budget in Oslo")


def test_a_short_text_is_shown_whole_and_a_text_without_the_words_from_its_beginning() -> None:
    assert excerpt(" Tea at four. ", "coffee") == "Tea at four."
    assert excerpt(LONG, "zebra").startswith("Call with Mara. The repairman")


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("- milk and bread\n" * 20 + "- ask Ann about the boat\n- eggs", "boat", "- ask Ann"),
        ("Ann: hello there\n" * 20 + "Bob: the code is 4711\n", "code", "Bob: the code is"),
        (f"{FILLER * 4}\nThe ferry to the island that we take every summer leaves\nat seven. "
         f"{FILLER * 4}", "ferry", "The ferry to the island that we take every summer leaves\nat"),
        ("昨日は雨でした。" * 40 + "猫は庭にいる。" + "今日は。" * 9, "猫", "猫は庭"),
    ],
)  # fmt: skip
def test_lines_turns_and_scripts(text: str, query: str, shown: str) -> None:
    assert excerpt(text, query).startswith(shown)


def test_a_sentence_longer_than_the_excerpt_is_cut_at_words_around_the_match() -> None:
    text = f"{'and then we walked on ' * 40}until the lighthouse {'and went home again ' * 40}"
    shown = excerpt(text, "lighthouse")
    assert "lighthouse" in shown
    assert len(shown) <= EXCERPT_CHARS
    assert not (text + " ").partition(shown)[2][:1].strip()


def test_a_text_without_spaces_is_cut_to_the_limit() -> None:
    assert len(excerpt("x" * 5_000, "x")) == EXCERPT_CHARS

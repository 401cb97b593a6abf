"""What is embedded of table rows: words once, without numbers and repetition."""

import pytest

from remem.core.chunking.model import Piece
from remem.core.chunking.row_words import words_of_rows
from remem.core.documents.chunks.cut import Header, plain_chunk, text_to_embed, text_to_index
from remem.core.time import new_id

ROWS = "\n\n".join(
    f"id: {number}\ncity: {city}\nprice: {number}.50\nday: 2026-03-{number:02}\nremark: x{number}z"
    for number, city in enumerate(["Graz", "京都", "Graz", "Львів"], 10)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ROWS, "id\ncity: Graz, 京都, Львів\nprice\nday\nremark"),
        ("1826 | Erebus | 372\n1813 | Terror | 325", "Erebus, Terror"),
        ("| ship | tons |\n| --- | --- |\n| Fox | 177 |", "ship, tons, Fox"),
        ("note: The tap drips: call Ana.", "note: The tap drips: call Ana."),
        (
            "item: pump type 12\n\nitem: pump type 40\n\nitem: valve 7b",
            "item: pump type 12, valve 7b",
        ),
        ("", ""),
    ],
)
def test_each_word_value_is_named_once(text: str, words: str) -> None:
    assert words_of_rows(text) == words


@pytest.mark.parametrize("content_type", ["csv", "xlsx", "json"])
def test_rows_are_embedded_by_their_words_and_indexed_whole(content_type: str) -> None:
    chunk = plain_chunk(new_id(), 0, Piece(ROWS, 0, len(ROWS)))
    header = Header("Orders", content_type=content_type)
    assert text_to_embed(header, chunk) == f"Orders\n{words_of_rows(ROWS)}"
    assert ROWS in text_to_index(header, chunk)
    assert ROWS in text_to_embed(Header("Orders"), chunk)

"""A text is cut into statements, each quoted exactly, with what stands beside it."""

import pytest

from remem.core.judgements import Passage
from remem.core.language.statements import quoted_statements
from remem.core.memories.rules.distil import distil


def quotes(text: str) -> list[str]:
    return [text[quoted.start : quoted.end] for quoted in quoted_statements(text)]


def headings(text: str) -> list[tuple[str, str]]:
    return [(quoted.heading, quoted.label) for quoted in quoted_statements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sara quit. new sitter jovana 16/h", ["sara quit.", "new sitter jovana 16/h"]),
        ("roof done. call Mr. Hall re invoice", ["roof done.", "call Mr. Hall re invoice"]),
        ("we moved!! now tue 1 dec", ["we moved!!", "now tue 1 dec"]),
        ("shop wifi: Basil9 pw kiwi!\nalarm 4471", ["shop wifi: Basil9 pw kiwi!", "alarm 4471"]),
        ("500 ml. dann rühren bis es bindet", ["500 ml.", "dann rühren bis es bindet"]),
        ("Frau Mag. Huber kommt am 14. Jänner", ["Frau Mag. Huber kommt am 14. Jänner"]),
        ("fest am 13.2. beim wirt", ["fest am 13.2. beim wirt"]),
        ("termín 27. 11. v 9:30", ["termín 27. 11. v 9:30"]),
        ("sitzung Do 26.3. 20:00 Rössli", ["sitzung Do 26.3. 20:00 Rössli"]),
        ("1 allergie (noodmed. In de tas), 4 halal", ["1 allergie (noodmed. In de tas), 4 halal"]),
        ("ring abt. 4 bzw. geschäft", ["ring abt. 4 bzw. geschäft"]),
        ("gas reset in loft; key with mrs Dent", ["gas reset in loft", "key with mrs Dent"]),
        (
            "mo dentist 9:10 ring road / tue vet 4pm Hill St",
            ["mo dentist 9:10 ring road", "tue vet 4pm Hill St"],
        ),
        ("guest wifi: Birke_Gast / dachs1912", ["guest wifi: Birke_Gast / dachs1912"]),
        ("会議は13時。資料は前日まで\n鍵は受付", ["会議は13時。", "資料は前日まで", "鍵は受付"]),
        ("ключи у соседки\nвода отключена до пт", ["ключи у соседки", "вода отключена до пт"]),
    ],
)
def test_lines_stops_and_separators_end_a_statement(text: str, expected: list[str]) -> None:
    assert quotes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Never run npm here; it rewrites the lock file.",
        "My bank account for refunds\nis X99.",
        "The plumber comes at approx. five and brings the new valve with him, and he wants\n"
        "to be paid in cash, so we have to go to the bank on the way home from work that day.",
    ],
)
def test_a_clean_sentence_is_one_statement(text: str) -> None:
    assert quotes(text) == [text]


def test_a_line_above_others_is_their_heading() -> None:
    text = "gift ideas\n- Tom: headphones\n- Ida: puzzle\n\nthe car is at Colin's"
    assert quotes(text) == ["Tom: headphones", "Ida: puzzle", "the car is at Colin's"]
    assert headings(text) == [("gift ideas", ""), ("gift ideas", ""), ("", "")]


def test_a_label_and_the_date_of_a_log_stay_with_the_rest_of_their_line() -> None:
    assert headings("M. Perrin: bandage every other day. do not tighten") == [
        ("", ""),
        ("", "M. Perrin"),
    ]
    assert headings("12/11 oil changed. brakes next time") == [("", ""), ("", "12/11")]


def test_a_row_of_a_table_has_its_header() -> None:
    text = "| month | rent |\n|---|---|\n| May | 900 |\n| June | 940 |"
    assert quotes(text) == ["May | 900", "June | 940"]
    assert headings(text) == [("month, rent", ""), ("month, rent", "")]


@pytest.mark.parametrize("text", ["wann kommst du?", "ok danke", "merci !!", "いつから？"])
def test_questions_and_greetings_are_no_statements(text: str) -> None:
    assert quotes(text) == []


def test_the_speakers_of_a_short_talk_are_known() -> None:
    text = "Dean: can you ring the garage?\nme: booked sat 11 oct 8.30\nDean: ok"
    [quoted] = quoted_statements(text)
    assert (text[quoted.start : quoted.end], quoted.speaker) == (
        "me: booked sat 11 oct 8.30",
        "me",
    )


@pytest.mark.parametrize(
    "line",
    [
        "class trip fri 14 nov 8am, 12 euro",
        "return library books by 3 dec",
        "peas 9.40 -> 9.15, hold",
        "9.1.25 tyres changed, 48 psi",
        "source text frozen on order, rate 1.5",
        "#11 bottled, 1.008",
    ],
)
def test_what_looks_like_code_in_a_note_is_prose(line: str) -> None:
    assert quotes(line) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "パス: taiyaki8841",
        "卵は加熱ならOKになった",
        "NO gen morning",
        "일요일은 전부 절반",
        "wifi: minato-5G",
        "кот Барсик аллергия",
    ],
)
def test_a_short_line_of_a_note_with_content_is_kept(line: str) -> None:
    assert [statement.content for statement in distil([Passage(line, 0, "user")])] == [line]


def test_a_statement_has_the_heading_above_and_the_label_before_it() -> None:
    text = "boiler notes\nvalve: 285 paid. guarantee until May 2027\nColin 07700 900142"
    statements = distil([Passage(text, 0, "user")])
    assert [(text[item.start : item.end], item.heading) for item in statements] == [
        ("valve: 285 paid.", "boiler notes"),
        ("guarantee until May 2027", "boiler notes / valve"),
        ("Colin 07700 900142", "boiler notes"),
    ]

"""Markdown as plain text: signs are left out, code and identifiers stay."""

import pytest

from remem.core.language.prose.markup import (
    blank_emphasis,
    inline,
    plain_line,
    plain_text,
    plain_value,
)
from remem.core.text import title_of


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It takes *ten* seconds", "It takes ten seconds"),
        ("**Tue**", "Tue"),
        ("**Mon**, __Tue__: _closed_", "Mon, Tue: closed"),
        ("***both*** and **bold *inside***", "both and bold inside"),
        ("~~old~~ ==new==", "old new"),
        ("**Important: call Bob.", "Important: call Bob."),
        ("**Haus**aufgabe", "Hausaufgabe"),
        ("これは**重要**です。", "これは重要です。"),
        ("**Дата:** 5 мая", "Дата: 5 мая"),
        ("_Das_ ist **„wichtig“**.", "Das ist „wichtig“."),
        ('[the form](https://a.example/x_y_z "title")', "the form"),
        ("[**bold**](https://a.example) and ![a cat](cat.png) here", "bold and here"),
        ("[[Notes|my notes]] and [[Page]]", "my notes and Page"),
        ("<https://a.example> is <b>good</b><br/>", "https://a.example is good"),
        ("snake\\_case and \\*not\\*", "snake_case and *not*"),
        ("run `make **x**`", "run make **x**"),
        ("## Opening hours ##", "Opening hours"),
        ("- [x] pay the rent", "pay the rent"),
        ("> quoted", "quoted"),
        ("| a | **b** |", "a, b"),
    ],
)
def test_markdown_is_left_out(text: str, plain: str) -> None:
    assert plain_line(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "my_var_name",
        "_private and __init__ of __main__",
        "2*3*4 = 24",
        "5 * 3 * 2",
        "2**8 is 256",
        "base**exp**n",
        "*args, **kwargs",
        "**kwargs are passed on",
        "f(*args, sep='*')",
        "(a)*b*(c)",
        "char *p, *q;",
        "src/**/*.py and *.ts",
        "https://a.example/x_y_z/*all*",
        "C:\\_data\\*.txt",
        "Vec<T> and a<b, c>d",
        "a == b and c==d==e",
        "price 5* and 3*",
        "*_*",
        "#tag and C#",
        "3. Mai",
        "0 9 * * 1-5",
        "~/notes ~5 min",
    ],
)
def test_code_and_identifiers_stay(text: str) -> None:
    assert plain_text(text) == text


def test_lines_and_code_blocks_stay() -> None:
    text = "# Plan\n\nWe **ship\non** Monday.\n\n```py\nx = a**b**c  # *no*\n```\n1. one\n2. *two*"
    plain = "Plan\n\nWe ship\non Monday.\n\nx = a**b**c  # *no*\n1. one\n2. two"
    assert plain_text(text) == plain


def test_a_value_that_is_cut_out_of_emphasis_has_no_sign() -> None:
    assert plain_value("ten* seconds", "It takes ten seconds.") == "ten seconds"
    assert plain_value("2*3*4", "The sum is 2*3*4.") == "2*3*4"
    assert plain_value("`vim", "I use vim.") == "vim"


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("for *ten* seconds", "for  ten  seconds"),
        ("for __ten__ seconds", "for   ten   seconds"),
        ("**Haus**aufgabe", "  Haus**aufgabe"),
        ("platform ~~3~~ 4", "platform ~~3~~ 4"),
        ("`*a*` is 2*3*4 of my_var_name", "`*a*` is 2*3*4 of my_var_name"),
    ],
)
def test_emphasis_is_blanked_in_place(text: str, blanked: str) -> None:
    assert blank_emphasis(text) == blanked


def test_titles_are_plain() -> None:
    assert title_of("## **Plan** for `my_var_name`\n\ntext") == "Plan for my_var_name"


def test_many_signs_are_read_in_time() -> None:
    for unit in ("**a ", "*", "a*", "_a", "`", "[", "![", "<b", "\\", "**a**", "*a _b ~~c ==d "):
        inline(unit * 20_000)

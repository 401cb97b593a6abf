"""Code: definitions stay whole and are named, the rest is grouped, nothing is lost."""

from itertools import pairwise

import pytest

from remem.core.chunking.model import TARGET_TOKENS, Joint, Mark, Piece
from remem.core.chunking.outline import outline
from remem.core.chunking.patterns import definition_in
from remem.core.chunking.split import estimate_tokens, split


def pieces_of(text: str, language: str | None = "python") -> list[Piece]:
    pieces = split(text, "code", outline(text, language))
    assert all(text[piece.start : piece.end] == piece.content for piece in pieces)
    assert all(before.end <= after.start for before, after in pairwise(pieces))
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(text.split())
    assert all(estimate_tokens(piece.content) <= TARGET_TOKENS for piece in pieces)
    return pieces


def body(count: int, indent: str = "    ", end: str = "") -> str:
    return "\n".join(f"{indent}value_{n} = compute({n}, value){end}" for n in range(count))


def test_save_code_chunked_by_function_boundaries() -> None:
    """Code is preserved with language metadata, chunked by function boundaries."""
    functions = [f"def function_{n}(value):\n{body(5 + n)}\n    return value" for n in range(12)]
    text = "import os\nimport sys\n\n\n" + "\n\n\n".join(functions) + "\n"
    pieces = pieces_of(text)
    assert [piece.heading_path for piece in pieces] == [(f"function_{n}",) for n in range(12)]
    assert [piece.content for piece in pieces[1:]] == functions[1:]
    assert pieces[0].content == "import os\nimport sys\n\n\n" + functions[0]


@pytest.mark.parametrize(
    ("language", "head", "method", "tail", "end"),
    [
        ("python", "class Scale:\n", "    def m{}(self, value):\n", "        return value\n", ""),
        ("java", "class Scale {\n", "    int m{}(int value) {{\n", "    }\n", ";"),
        ("typescript", "export class Scale {\n", "    m{}(value) {{\n", "    }\n", ";"),
        ("csharp", "class Scale\n{\n", "    int m{}(int value) {{\n", "    }\n", ";"),
        ("php", "<?php\nclass Scale {\n", "    function m{}($value) {{\n", "    }\n", ";"),
        ("kotlin", "class Scale {\n", "    fun m{}(value: Int) {{\n", "    }\n", ""),
        ("swift", "class Scale {\n", "    func m{}(value: Int) {{\n", "    }\n", ""),
        ("rust", "impl Scale {\n", "    fn m{}(&self, value: u8) {{\n", "    }\n", ";"),
        ("ruby", "class Scale\n", "    def m{}(value)\n", "    end\n", ""),
        ("cpp", "class Scale {\n", "    int m{}(int value) {{\n", "    }\n", ";"),
        ("scala", "class Scale {\n", "    def m{}(value: Int) = {{\n", "    }\n", ""),
    ],
)
def test_a_big_class_is_cut_between_its_methods(
    language: str, head: str, method: str, tail: str, end: str
) -> None:
    methods = [method.format(n) + body(8, " " * 8, end) + "\n" + tail for n in range(8)]
    closing = {"python": "", "ruby": "end\n"}.get(language, "};\n" if language == "cpp" else "}\n")
    pieces = pieces_of(head + "\n".join(methods) + closing, language)
    assert [piece.heading_path for piece in pieces] == [("Scale", f"m{n}") for n in range(8)]
    for piece, whole in zip(pieces, methods, strict=True):
        assert whole.strip() in piece.content


def test_a_big_function_is_cut_between_its_statements() -> None:
    loops = "\n".join(f"    for x in range({n}):\n{body(6, ' ' * 8)}\n" for n in range(30))
    pieces = pieces_of(f"def big(value):\n{loops}    return value\n")
    assert len(pieces) > 3
    assert {piece.heading_path for piece in pieces} == {("big",)}
    assert all(piece.content.startswith("    for x") for piece in pieces[1:])


def test_a_statement_longer_than_a_chunk_is_cut_inside() -> None:
    table = ",\n".join(f'    "key {n}": [{n}, {n}, {n}]' for n in range(300))
    pieces = pieces_of(f"TABLE = {{\n{table},\n}}\n")
    assert len(pieces) > 3
    assert all(piece.content.startswith('    "key') for piece in pieces[1:])


def test_comments_and_decorators_above_a_definition_belong_to_it() -> None:
    text = f"""X = 1

# A remark about nothing.

# Explains it.
@cache
@other(1)
def first(value):
{body(6)}


# Explains the second.
class Second:
    \"\"\"Has a docstring.\"\"\"

{body(6)}
"""
    pieces = pieces_of(text)
    assert [piece.heading_path for piece in pieces] == [("first",), ("Second",)]
    assert pieces[1].content.startswith("# Explains the second.")
    assert "# Explains it.\n@cache\n@other(1)\ndef first" in pieces[0].content


def test_imports_are_a_group_of_their_own_when_they_are_many() -> None:
    imports = "\n".join(f"from package.module_{n} import name_{n}" for n in range(20))
    pieces = pieces_of(f"{imports}\n\n\ndef first(value):\n{body(6)}\n")
    assert [(piece.heading_path, piece.content[:4]) for piece in pieces] == [
        ((), "from"),
        (("first",), "def "),
    ]


def test_tiny_definitions_are_grouped() -> None:
    getters = "\n".join(f"    int get{n}() {{ return {n}; }}" for n in range(120))
    pieces = pieces_of(f"class Bean {{\n{getters}\n}}\n", "java")
    assert {piece.heading_path for piece in pieces} == {("Bean",)}
    assert len(pieces) < 60
    assert all(piece.content.count("{ return") == piece.content.count("; }") for piece in pieces)


def test_nested_functions_have_a_path() -> None:
    inner = f"    def inner(value):\n{body(8, ' ' * 8)}\n"
    pieces = pieces_of(f"def outer(value):\n{body(60)}\n{inner}{body(60)}\n")
    assert [piece.content for piece in pieces if piece.heading_path == ("outer", "inner")] == [
        inner.rstrip()
    ]


@pytest.mark.parametrize("language", ["python", "javascript", "c", "java", "rust", "go", "ruby"])
def test_a_syntax_error_loses_nothing(language: str) -> None:
    function = "function good(value) {\n" + body(8, end=";") + "\n}\n"
    pieces_of("}}} ((( broken = \n\n" + function * 20 + "\n`'\"<<<", language)


def test_functions_are_found_despite_syntax_errors() -> None:
    text = f"def first(value):\n{body(6)}\n\n\nbroken = = (\n\n\ndef last(value):\n{body(6)}\n"
    paths = [piece.heading_path for piece in pieces_of(text)]
    assert paths[0] == ("first",)
    assert paths[-1] == ("last",)


@pytest.mark.parametrize("language", [None, "cobol", "Klingon"])
def test_an_unknown_language_is_cut_at_blank_lines(language: str | None) -> None:
    parts = [f"to part_{n} with value\n{body(6)}\n\n{body(3)}\nend" for n in range(30)]
    pieces = pieces_of("\n\n".join(parts), language)
    assert len(pieces) > 3
    assert all(piece.content.startswith("to part_") for piece in pieces)
    assert all(piece.content.endswith("\nend") for piece in pieces)


def test_without_blank_lines_indentation_shows_where_a_block_begins() -> None:
    text = "\n".join(f"to part_{n}\n{body(8)}\nend" for n in range(40))
    assert all(piece.content.startswith("to part_") for piece in pieces_of(text, None))


def test_symbols_may_be_given_as_marks() -> None:
    text = "\n".join(f"to part_{n}\n{body(8)}\nend" for n in range(4))
    marks = [Mark(Joint.SYMBOL, text.index(f"to part_{n}"), f"Parts.part_{n}") for n in range(4)]
    pieces = split(text, "code", marks)
    assert [piece.heading_path for piece in pieces] == [("Parts", f"part_{n}") for n in range(4)]


def test_without_a_syntax_tree_definitions_are_recognised_by_pattern() -> None:
    functions = [f"def function_{n}(value):\n{body(6 + n)}\n    return value" for n in range(12)]
    text = "import os\n\n\n" + "\n\n\n".join(functions) + "\n\n\nfunction_1(2)\n"
    pieces = split(text, "code", code_language="python")
    assert [piece.heading_path for piece in pieces] == [(f"function_{n}",) for n in range(12)]
    assert [piece.content for piece in pieces[1:-1]] == functions[1:-1]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def weigh(path):", "weigh"),
        ("    async def weigh(self) -> int:", "weigh"),
        ("class Scale(Base):", "Scale"),
        ("export default class Scale extends Base {", "Scale"),
        ("export const weigh = async (names) => {", "weigh"),
        ("func (s *Scale) Label(name string) string {", "Scale.Label"),
        ("pub(crate) fn weigh<T>(names: &[T]) -> u64 {", "weigh"),
        ("impl<T> Weighed for Scale<T> {", "Scale"),
        ("public static long weigh(File[] files) throws IOException {", "weigh"),
        ("long Scale::weigh(const std::string& name) const {", "Scale.weigh"),
        ("static int weigh(const char *names[], int count)", "weigh"),
        ("CREATE OR REPLACE FUNCTION public.weigh(names text[])", "public.weigh"),
        ("  def self.weigh(names)", "weigh"),
        ("weigh() {", "weigh"),
        ("weigh <- function(names) {", "weigh"),
        ("total = weigh(names)", ""),
        ("return weigh(names)", ""),
        ("if (weigh(names)) {", ""),
        ("} else if (weigh(names)) {", ""),
        ("class of things that are heavy", ""),
        ("def total = 0", ""),
        ("int total = 0;", ""),
    ],
)
def test_patterns_of_definitions(line: str, name: str) -> None:
    assert ".".join(definition_in(line)) == name


def test_a_small_class_is_not_split_without_a_syntax_tree() -> None:
    text = f"class Scale:\n    def weigh(self):\n{body(5, ' ' * 8)}\n\n\ndef after():\n{body(9)}\n"
    pieces = split(text, "code")
    assert [piece.heading_path for piece in pieces] == [("Scale",), ("after",)]


def test_prose_is_split_like_code_of_an_unknown_language() -> None:
    prose = "It was the best of times, it wasn't the worst: so be it, then (or not).\n\n" * 200
    assert {piece.heading_path for piece in pieces_of(prose, "python")} == {()}


def test_a_huge_file_is_read_in_parts() -> None:
    functions = [f"def function_{n}(value):\n{body(20)}\n    return value" for n in range(600)]
    text = "\n\n\n".join(functions)
    assert len(text) > 300_000
    pieces = pieces_of(text)
    assert [piece.heading_path for piece in pieces] == [(f"function_{n}",) for n in range(600)]


def test_wide_characters_do_not_shift_the_names() -> None:
    text = f'NAME = "日本語 👨‍👩‍👧 é"\n\n\ndef größe(value):\n    """Größe 日本語."""\n{body(8)}\n'
    assert [piece.heading_path for piece in pieces_of(text)] == [("größe",)]

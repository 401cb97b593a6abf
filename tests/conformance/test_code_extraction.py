"""Code in the sandbox: split by its syntax tree there, and complete even if the parser crashes."""

import os
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from remem.adapters.extractors import sandbox
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.kinds import extract
from remem.adapters.extractors.languages import EXTENSIONS
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.core.chunking.languages import grammar_of
from remem.core.chunking.model import Joint
from remem.core.chunking.pack import MAX_TOKENS
from remem.core.chunking.split import estimate_tokens, split
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.read import get_document
from remem.core.ports import Extracted, Original, Ports
from remem.core.scope import Scope
from tests.core.test_code_languages import SAMPLES, pieces_at

pytestmark = pytest.mark.anyio

# Grammars that abort their process, hang, or cannot be imported.
CRASHING = "import os\n\ndef language():\n    os.abort()\n"
HANGING = "def language():\n    while True:\n        pass\n"
MISSING = "raise ImportError('no wheel for this machine')\n"
LANGUAGES = sorted(SAMPLES.keys() & EXTENSIONS.keys())
# The grammar of Perl hangs on the second line.
ENDLESS = "<<E\n\\"


@pytest.fixture(scope="module")
async def box(anyio_backend: str) -> AsyncIterator[SandboxedExtractor]:
    extractor = SandboxedExtractor()
    yield extractor
    await extractor.close()


def write_code(folder: Path, text: str, language: str) -> Original:
    name = f"scales.{EXTENSIONS[language].split()[0]}"
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return Original(folder / name, name=name)


def assert_complete(extracted: Extracted) -> None:
    """Check that every chunk has exact offsets and that together they are the whole text."""
    text = extracted.content
    pieces = split(text, extracted.content_type, extracted.marks)
    assert all(text[piece.start : piece.end] == piece.content for piece in pieces)
    assert all(estimate_tokens(piece.content) <= MAX_TOKENS for piece in pieces)
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(text.split())


async def test_at_least_25_languages_are_tested() -> None:
    assert len(LANGUAGES) >= 25


@pytest.mark.parametrize("language", LANGUAGES)
async def test_definitions_are_not_split(
    tmp_path: Path, box: SandboxedExtractor, language: str
) -> None:
    text, definitions = SAMPLES[language]
    extracted = await box.extract(write_code(tmp_path, text, language))
    assert extracted.content == text
    assert_complete(extracted)
    if grammar_of(language) is None:
        assert extracted.marks == (), "without a grammar, patterns split the code"
        return
    assert {mark.joint for mark in extracted.marks} == {Joint.SYMBOL}
    pieces = split(text, "code", extracted.marks)
    for path, (first, last) in definitions.items():
        (piece,) = pieces_at(pieces, path)
        assert first in piece.content
        assert last in piece.content[piece.content.index(first) :]


async def test_a_definition_in_a_string_is_not_a_symbol(
    tmp_path: Path, box: SandboxedExtractor
) -> None:
    """A definition inside a string looks real; only the syntax tree knows that it is not."""
    fill = "\n".join(f"    value_{n} = compute({n})" for n in range(10))
    text = f'TEXT = """\ndef no_function(value):\n{fill}\n"""\n\n\ndef real(value):\n{fill}\n'
    extracted = await box.extract(write_code(tmp_path, text, "python"))
    names = {piece.heading_path for piece in split(text, "code", extracted.marks)}
    assert names == {(), ("real",)}
    assert ("no_function",) in {piece.heading_path for piece in split(text, "code")}


async def test_the_server_process_never_parses(tmp_path: Path) -> None:
    original = write_code(tmp_path, SAMPLES["python"][0], "python")
    assert extract(original, Engines()).marks == ()


@pytest.mark.parametrize("grammar", [CRASHING, HANGING, MISSING])
@pytest.mark.parametrize("warm", [False, True])
async def test_extraction_works_without_a_grammar_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grammar: str, warm: bool
) -> None:
    grammars = tmp_path / "plugs"
    grammars.mkdir()
    (grammars / "tree_sitter_lua.py").write_text(grammar)
    monkeypatch.setenv("PYTHONPATH", str(grammars), prepend=os.pathsep)
    box = SandboxedExtractor()
    try:
        if warm:
            assert (await box.extract(write_code(tmp_path, SAMPLES["go"][0], "go"))).marks
        with monkeypatch.context() as quick:
            quick.setattr(sandbox, "QUICK_S", 2.0)
            extracted = await box.extract(write_code(tmp_path, SAMPLES["lua"][0], "lua"))
        assert extracted.content == SAMPLES["lua"][0]
        assert extracted.found["code_language"] == "lua"
        assert extracted.marks == ()
        assert_complete(extracted)
        assert (await box.extract(write_code(tmp_path, SAMPLES["go"][0], "go"))).marks, (
            "other languages still work"
        )
    finally:
        await box.close()


async def test_code_on_which_its_grammar_hangs_is_saved_completely(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "QUICK_S", 1.0)
    box = SandboxedExtractor()
    content = f"{SAMPLES['perl'][0]}\nprint {ENDLESS}"
    draft = Draft(content=content, title="scales.pl", content_type="code")
    try:
        saved = await ingest(replace(ports, extractor=box), scope, draft)
    finally:
        await box.close()
    assert saved.document.status == "done"
    assert saved.document.metadata["code_language"] == "perl"
    document = await get_document(ports, scope, saved.document.id)
    assert all(
        content[chunk.start_offset : chunk.end_offset] == chunk.content for chunk in document.chunks
    )
    assert "Sums up the sizes" in document.chunks[0].content


async def test_code_sent_as_text_is_split_by_its_tree(ports: Ports, scope: Scope) -> None:
    fill = "\n".join(f"    value_{n} = compute({n}, value)" for n in range(12))
    inner = f'    """\ndef no_function(value):\n{fill}\n"""\n'
    content = "\n\n".join(f"def part_{n}(value):\n{inner if n == 2 else fill}" for n in range(6))
    saved = await ingest(ports, scope, Draft(content=content, content_type="code"))
    document = await get_document(ports, scope, saved.document.id)
    assert saved.document.status == "done"
    assert [chunk.heading_path for chunk in document.chunks] == [[f"part_{n}"] for n in range(6)]
    assert all(
        content[chunk.start_offset : chunk.end_offset] == chunk.content for chunk in document.chunks
    )


JUNK = {
    "bash": "<<EOF <<-'E' <<< $( ${ $(( )) } ) \" ' ` \n EOF esac case in ;; do [[ # \\ | & a 0",
    "odin": "{ } ( ) [ ] \" ' ` \n // /* */ :: := proc struct # -> --- ; \\ \t if case a 0 @ ^ ~ <",
    "perl": "{ } ( \" ' ` \n q{ qw( m/ s{ tr/ <<EOF <<~E EOF =pod =cut __END__ $# ${ @{ sub => 0 ?",
}


def junk(language: str, seed: int) -> str:
    """Random words of the language, its sample with random words inside, or random characters."""
    rng, words = random.Random(seed), JUNK[language].split(" ")
    if seed % 3 == 0:
        return rng.choice(["", " "]).join(rng.choices(words, k=rng.choice([20, 2_000])))
    if seed % 3 == 1:
        letters = list(SAMPLES[language][0])
        for _ in range(40):
            letters.insert(rng.randrange(len(letters)), rng.choice(words))
        return "".join(letters)
    return "a" + "".join(chr(rng.randrange(32, rng.choice([128, 0x3000]))) for _ in range(900))


@pytest.mark.parametrize("language", JUNK)
async def test_junk_is_extracted_completely(
    tmp_path: Path, box: SandboxedExtractor, language: str
) -> None:
    started = time.monotonic()
    for seed in range(30):
        original = write_code(tmp_path, junk(language, seed), language)
        plain = extract(original, Engines(), "code")
        extracted = await box.extract(original)
        assert extracted.content == plain.content
        assert_complete(extracted)
    assert time.monotonic() - started < 120

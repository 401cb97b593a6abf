"""Code through the sandbox: cut by its syntax tree there, and whole even if that tree kills."""

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
from tests.core.test_code_languages import SAMPLES, within

pytestmark = pytest.mark.anyio

# A grammar whose wheel is another's: it ends its process, or never comes back, when it is loaded.
CRASHING = "import os\n\ndef language():\n    os.abort()\n"
HANGING = "def language():\n    while True:\n        pass\n"
MISSING = "raise ImportError('no wheel for this machine')\n"
NAMED = sorted(SAMPLES.keys() & EXTENSIONS.keys())
# Perl's own grammar never comes back from the second line.
ENDLESS = "<<E\n\\"


@pytest.fixture(scope="module")
async def box(anyio_backend: str) -> AsyncIterator[SandboxedExtractor]:
    opened = SandboxedExtractor()
    yield opened
    await opened.close()


def written(folder: Path, text: str, language: str) -> Original:
    name = f"scales.{EXTENSIONS[language].split()[0]}"
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return Original(folder / name, name=name)


def check_whole(extracted: Extracted) -> None:
    """Every chunk is exactly where it says, and together they are all of the text."""
    text = extracted.content
    pieces = split(text, extracted.content_type, extracted.marks)
    assert all(text[piece.start : piece.end] == piece.content for piece in pieces)
    assert all(estimate_tokens(piece.content) <= MAX_TOKENS for piece in pieces)
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(text.split())


async def test_the_named_languages_are_many() -> None:
    assert len(NAMED) >= 25


@pytest.mark.parametrize("language", NAMED)
async def test_definitions_stay_whole(
    tmp_path: Path, box: SandboxedExtractor, language: str
) -> None:
    text, definitions = SAMPLES[language]
    extracted = await box.extract(written(tmp_path, text, language))
    assert extracted.content == text
    check_whole(extracted)
    if grammar_of(language) is None:
        assert extracted.marks == (), "patterns cut what has no grammar on this machine"
        return
    assert {mark.joint for mark in extracted.marks} == {Joint.SYMBOL}
    pieces = split(text, "code", extracted.marks)
    for path, (first, last) in definitions.items():
        (piece,) = within(pieces, path)
        assert first in piece.content
        assert last in piece.content[piece.content.index(first) :]


async def test_what_only_a_tree_tells_apart(tmp_path: Path, box: SandboxedExtractor) -> None:
    """A definition that stands in a string looks like one; the tree knows that it is none."""
    fill = "\n".join(f"    value_{n} = compute({n})" for n in range(10))
    text = f'TEXT = """\ndef no_function(value):\n{fill}\n"""\n\n\ndef real(value):\n{fill}\n'
    extracted = await box.extract(written(tmp_path, text, "python"))
    names = {piece.heading_path for piece in split(text, "code", extracted.marks)}
    assert names == {(), ("real",)}
    assert ("no_function",) in {piece.heading_path for piece in split(text, "code")}


async def test_the_server_itself_never_parses(tmp_path: Path) -> None:
    original = written(tmp_path, SAMPLES["python"][0], "python")
    assert extract(original, Engines()).marks == ()


@pytest.mark.parametrize("grammar", [CRASHING, HANGING, MISSING])
@pytest.mark.parametrize("used", [False, True])
async def test_a_grammar_that_fails_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grammar: str, used: bool
) -> None:
    plugs = tmp_path / "plugs"
    plugs.mkdir()
    (plugs / "tree_sitter_lua.py").write_text(grammar)
    monkeypatch.setenv("PYTHONPATH", str(plugs), prepend=os.pathsep)
    box = SandboxedExtractor()
    try:
        if used:
            assert (await box.extract(written(tmp_path, SAMPLES["go"][0], "go"))).marks
        with monkeypatch.context() as brief:
            brief.setattr(sandbox, "QUICK_S", 2.0)
            extracted = await box.extract(written(tmp_path, SAMPLES["lua"][0], "lua"))
        assert extracted.content == SAMPLES["lua"][0]
        assert extracted.found["code_language"] == "lua"
        assert extracted.marks == ()
        check_whole(extracted)
        assert (await box.extract(written(tmp_path, SAMPLES["go"][0], "go"))).marks, "others can"
    finally:
        await box.close()


async def test_code_that_its_grammar_never_finishes_is_a_whole_document(
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
    whole = await get_document(ports, scope, saved.document.id)
    assert all(content[one.start_offset : one.end_offset] == one.content for one in whole.chunks)
    assert "Sums up the sizes" in whole.chunks[0].content


async def test_code_handed_in_as_text_is_cut_by_its_tree(ports: Ports, scope: Scope) -> None:
    fill = "\n".join(f"    value_{n} = compute({n}, value)" for n in range(12))
    inner = f'    """\ndef no_function(value):\n{fill}\n"""\n'
    content = "\n\n".join(f"def part_{n}(value):\n{inner if n == 2 else fill}" for n in range(6))
    saved = await ingest(ports, scope, Draft(content=content, content_type="code"))
    whole = await get_document(ports, scope, saved.document.id)
    assert saved.document.status == "done"
    assert [one.heading_path for one in whole.chunks] == [[f"part_{n}"] for n in range(6)]
    assert all(content[one.start_offset : one.end_offset] == one.content for one in whole.chunks)


JUNK = {
    "bash": "<<EOF <<-'E' <<< $( ${ $(( )) } ) \" ' ` \n EOF esac case in ;; do [[ # \\ | & a 0",
    "odin": "{ } ( ) [ ] \" ' ` \n // /* */ :: := proc struct # -> --- ; \\ \t if case a 0 @ ^ ~ <",
    "perl": "{ } ( \" ' ` \n q{ qw( m/ s{ tr/ <<EOF <<~E EOF =pod =cut __END__ $# ${ @{ sub => 0 ?",
}


def junk(language: str, seed: int) -> str:
    """Words of the language in no order, its sample with holes, or characters of any kind."""
    chance, words = random.Random(seed), JUNK[language].split(" ")
    if seed % 3 == 0:
        return chance.choice(["", " "]).join(chance.choices(words, k=chance.choice([20, 2_000])))
    if seed % 3 == 1:
        letters = list(SAMPLES[language][0])
        for _ in range(40):
            letters.insert(chance.randrange(len(letters)), chance.choice(words))
        return "".join(letters)
    return "a" + "".join(
        chr(chance.randrange(32, chance.choice([128, 0x3000]))) for _ in range(900)
    )


@pytest.mark.parametrize("language", JUNK)
async def test_junk_comes_through_whole(
    tmp_path: Path, box: SandboxedExtractor, language: str
) -> None:
    started = time.monotonic()
    for seed in range(30):
        original = written(tmp_path, junk(language, seed), language)
        plain = extract(original, Engines(), "code")
        extracted = await box.extract(original)
        assert extracted.content == plain.content
        check_whole(extracted)
    assert time.monotonic() - started < 120

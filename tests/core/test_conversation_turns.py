"""Conversations are split by turn, with speakers; text that only looks like one is not."""

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.extractors.talk import recognises, write
from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Joint, Mark, Piece
from remem.core.chunking.split import split
from remem.core.chunking.turns import TalkTurn, spans_by_turn, turns_of
from remem.core.documents.voice import voice_of
from remem.core.enrich.category import is_conversation

MESSENGER = """31/12/23, 22:15 - Ann Lee: Are you coming?
31/12/23, 22:16 - Bob: In ten minutes.
Save me some cake: the chocolate one.
31/12/23, 22:17 - Ann Lee: Done.
31/12/23, 22:40 - Bob: Here!"""
IN_BRACKETS = """[31.12.23, 22:15:03] Ann: Are you coming?
[31.12.23, 22:16:10] Bob: In ten minutes.
[31.12.23, 22:17:00] Ann: Done.
[31.12.23, 22:40:59] Bob: Here!"""
PLAIN_CHAT = "Ann: Hi.\nBob: Hello.\nAnn: How is the boat?\nBob: It leaks."
QUESTIONS = "Q: Where is the key?\nA: Under the pot.\n\nQ: Which pot?\nA: The blue one."


def speakers(pieces: Sequence[Piece]) -> list[str]:
    return [piece.speaker for piece in pieces]


def check_offsets(text: str, pieces: Sequence[Piece]) -> None:
    """Check that the pieces are slices of the text, in order, with only white space left out."""
    end = 0
    for piece in pieces:
        assert text[piece.start : piece.end] == piece.content
        assert not text[end : piece.start].strip()
        end = max(end, piece.end)
    assert not text[end:].strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MESSENGER, ["Ann Lee", "Bob", "Ann Lee", "Bob"]),
        (IN_BRACKETS, ["Ann", "Bob", "Ann", "Bob"]),
        (PLAIN_CHAT, ["Ann", "Bob", "Ann", "Bob"]),
        (PLAIN_CHAT.replace("\n", "\n\n"), ["Ann", "Bob", "Ann", "Bob"]),
        (QUESTIONS, ["Q", "A", "Q", "A"]),
        ("User: Hi.\nAssistant: Hello.", ["User", "Assistant"]),
        ("**Ann:** Hi.\n**Bob:** Hello.\n**Ann:** So?\n**Bob:** So.", ["Ann", "Bob", "Ann", "Bob"]),
        ("10:02 Ann: Hi.\n10:03 Bob: Hm.\n10:04 Ann: So?\n10:05 Bob: So.", ["Ann", "Bob"] * 2),
        ("Ann (host): Hi.\nBob: Hm.\nAnn (host): So?\nBob: So.", ["Ann", "Bob"] * 2),
        ("李明: 你好。\n王芳: 早上好。\n李明: 去哪里？\n王芳: 北京。", ["李明", "王芳"] * 2),
    ],
)
def test_a_conversation_is_split_between_turns(text: str, expected: list[str]) -> None:
    pieces = split(text)
    assert speakers(pieces) == expected
    check_offsets(text, pieces)


@pytest.mark.parametrize("text", [MESSENGER, IN_BRACKETS])
def test_the_time_before_a_turn_is_kept(text: str) -> None:
    moments = [datetime.fromtimestamp(piece.said_at_s or 0, UTC) for piece in split(text)]
    assert {moment.isoformat()[:13] for moment in moments} == {"2023-12-31T22"}


def test_lines_without_a_name_belong_to_the_current_speaker() -> None:
    assert split(MESSENGER)[1].content.endswith("Save me some cake: the chocolate one.")


@pytest.mark.parametrize(
    "text",
    [
        "Name: Ann\nAge: 30\n\nName: Bob\nAge: 31\n\nName: Cid\nAge: 32",
        "Title: A\nPrice: 3\nTitle: B\nPrice: 4\nTitle: C\nPrice: 5",
        "Model: A\nColour: red\nYear: 1990\n\nModel: B\nColour: blue\nYear: 1991",
        "Make: A\nModel: B\nColour: red\n\nMake: C\nModel: D\nColour: blue\n\nMake: E",
        "INFO: started\nERROR: no disk\nINFO: stopped\nINFO: gone",
        "2024-01-01 10:00:00 INFO: up\n2024-01-01 10:00:01 WARN: hot\n"
        "2024-01-01 10:00:02 INFO: down\n2024-01-01 10:00:03 WARN: cold",
        "Install: run this.\n\nUsage: run that.\n\nLicence: free.\n\nThanks: to all.",
        "There are two ways: this and that.\nThe first: easy.\nThe second: hard.\nThe third: none.",
        "Ann: Hi.\nBob: Hello.",
        "Ann: Hi.",
        "https://a.org\nhttps://b.org\nhttps://c.org\nhttps://d.org",
        "No colons anywhere.\nNone here.\nNor here.\nNor there.",
        "",
    ],
)
def test_text_that_only_looks_like_a_conversation_has_no_turns(text: str) -> None:
    assert turns_of(text, []) == []
    assert all(piece.speaker == "" for piece in split(text))


@pytest.mark.parametrize(
    "text",
    [
        "Tom: telescope\nMia: roller skates\nTom: Lego\nMia: scarf",
        "Ann: dishes\nBob: laundry\nAnn: trash on Friday.\nBob: cat litter!",
        "Tom: Zeckenimpfung auffrischen\nMia: Zahnarzt\nTom: Schuhe am WE\nMia: Schwimmkurs",
        "# Geschenke\n\nTom: Fernrohr\nMia: Schal\n\n# Arzt\n\nTom: Impfung\nMia: Zahnarzt",
        "Tom: rappel du vaccin\nLéa: rendez-vous piscine\nTom: souliers\nLéa: dentiste",
        "Tom: vacuna\nEva: natación\nTom: zapatos\nEva: dentista",
        "Tom: fiets te koop\nEva: zwemles\nTom: schoenen\nEva: tandarts",
        "Аня: прививка\nОля: бассейн\nАня: ботинки\nОля: зубной",
        "小明: 打疫苗\n小红: 游泳课\n小明: 新鞋\n小红: 看牙",
        "Tom: a kite?\nMia: a drum?\nTom: a book?\nMia: a bike?",
        "Tom: vaccination\nTom: shoes\nTom: dentist\nTom: passport",
    ],
)
def test_a_list_with_names_is_no_conversation(text: str) -> None:
    assert turns_of(text, []) == []
    assert not is_conversation(text)
    assert voice_of({}, text).speaker == ""


@pytest.mark.parametrize(
    "text",
    [
        "Tom: Kommst du heute?\nMia: Ja, um acht.\nTom: Bring Brot mit.\nMia: Mach ich.",
        "Tom: tu viens ce soir?\nLéa: oui, à huit heures\nTom: apporte du pain\nLéa: ok",
        "Tom: ¿vienes hoy?\nEva: a las ocho\nTom: trae pan\nEva: vale",
        "Tom: kom je vanavond\nEva: ja, om acht uur\nTom: neem brood mee\nEva: ok",
        "Аня: ты придёшь?\nОля: да, в восемь\nАня: купи хлеб\nОля: ладно",
    ],
)
def test_short_talk_without_punctuation_is_a_conversation(text: str) -> None:
    assert len(turns_of(text, [])) == 4


def test_a_document_that_quotes_a_conversation_has_no_turns() -> None:
    prose = "\n\n".join(f"Paragraph {n} tells of the harbour and its boats." for n in range(20))
    assert turns_of(f"{prose}\n\n{PLAIN_CHAT}", []) == []


def test_three_people_may_take_turns_in_any_order() -> None:
    text = "Ann: Hi, a.\nBob: b.\nCid: c?\nBob: d.\nAnn: e.\nCid: f."
    assert speakers(split(text)) == ["Ann", "Bob", "Cid", "Bob", "Ann", "Cid"]


@pytest.mark.parametrize(
    "text",
    [
        "Ana: I fixed the bug.\nBen: I wrote docs.\nCleo: I met a customer.\n"
        "Ana: My test fails.\nBen: Your test?\nCleo: We are late.",
        "Will: My dog is Rex.\nMay: I have a cat.\nMark: I sing.\nWill: You do?\nIda: We too.",
    ],
)
def test_statements_in_the_first_person_are_turns_in_any_order(text: str) -> None:
    assert len(turns_of(text, [])) == text.count("\n") + 1
    impersonal = text.translate({ord("I"): "X"})
    for word in ("My", "Your", "You", "We"):
        impersonal = impersonal.replace(word, "Some")
    assert turns_of(impersonal, []) == []


def test_text_with_other_marks_is_no_conversation() -> None:
    assert turns_of(PLAIN_CHAT, [Mark(Joint.PAGE, 0, number=1)]) == []


def test_marks_define_the_turns() -> None:
    marks = [Mark(Joint.TURN, 9, "Bob", 20.0), Mark(Joint.TURN, 0, "x" * 200, 10.0)]
    turns = turns_of("Some talk here.", [*marks, Mark(Joint.TURN, 99, "Nobody")])
    assert turns == [TalkTurn(0, "x" * 80, 10.0), TalkTurn(9, "Bob", 20.0)]


def test_a_heading_directly_above_a_turn_belongs_to_it() -> None:
    text = f"# Monday\n\n{PLAIN_CHAT}\n\n# Tuesday\n\n{PLAIN_CHAT}"
    pieces = split(text)
    check_offsets(text, pieces)
    assert speakers(pieces) == ["Ann", "Bob"] * 4
    assert pieces[4].content.startswith("# Tuesday\n\nAnn: Hi.")
    assert not pieces[3].content.endswith("Tuesday")
    assert pieces[3].heading_path == ("Monday",)
    assert pieces[4].heading_path == pieces[7].heading_path == ("Tuesday",)


def test_a_turn_in_the_line_of_a_heading_does_not_belong_to_the_next() -> None:
    turns = [TalkTurn(2, "Ann"), TalkTurn(11, "Bob")]
    parts = spans_by_turn("# Ann: Hi.\nBob: Ho.", turns, [Heading(0, 1, "Ann: Hi.")])
    assert [span for span, _ in parts] == [(0, 2), (2, 11), (11, 19)]


def test_a_time_mark_after_a_lone_bracket() -> None:
    check_offsets("] ", split("] ", "transcript", [Mark(Joint.TIME, 1)]))


def test_text_before_the_first_turn_has_no_speaker() -> None:
    pieces = split(f"Minutes of the meeting.\n\n{PLAIN_CHAT}")
    assert speakers(pieces) == ["", "Ann", "Bob", "Ann", "Bob"]


def test_all_chunks_of_a_long_turn_have_its_speaker() -> None:
    long_turn = " ".join(f"The boat number {n} leaks." for n in range(400))
    text = f"Ann: Hi.\nBob: {long_turn}\nAnn: Oh.\nBob: Yes."
    pieces = split(text)
    assert len(pieces) > 4
    assert speakers(pieces) == ["Ann", *["Bob"] * (len(pieces) - 3), "Ann", "Bob"]
    assert all(text[piece.start : piece.end] == piece.content for piece in pieces)


def test_very_many_turns_share_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{'AB'[turn % 2]}nna: I saw your boat {turn}.\n" for turn in range(200))
    assert len(split(text)) == 200
    monkeypatch.setattr("remem.core.chunking.split.MAX_TURNS", 199)
    pieces = split(text)
    assert len(pieces) < 10
    assert all(piece.content.startswith(("Anna: ", "Bnna: ")) for piece in pieces)
    assert {piece.speaker for piece in pieces} == {""}


def test_many_turns_below_many_headings_are_found_quickly() -> None:
    text = "# H\nA: x\n" * 20_000
    headings = [Heading(at, 1, "H") for at in range(0, len(text), 9)]
    turns = [TalkTurn(at + 4, "A") for at in range(0, len(text), 9)]
    started = time.process_time()
    parts = spans_by_turn(text, turns, headings)
    assert time.process_time() - started < 2
    assert [start for (start, _), _ in parts] == list(range(0, len(text), 9))


def turns_in_json(loaded: object) -> list[tuple[str, float | None, str]]:
    assert recognises(loaded)
    extracted = write(loaded)
    pieces = split(extracted.content, "json", extracted.marks)
    check_offsets(extracted.content, pieces)
    return [(piece.speaker, piece.said_at_s, piece.content) for piece in pieces]


def test_a_conversation_in_json() -> None:
    talk = {
        "title": "Boats",
        "messages": [
            {"role": "user", "content": "Where is it?", "timestamp": "2023-05-08T10:00:00Z"},
            {"role": "assistant", "content": [{"type": "text", "text": "In the harbour."}]},
            {"role": "user", "content": ""},
        ],
    }
    assert turns_in_json(talk) == [
        ("user", 1683540000.0, "user: Where is it?"),
        ("assistant", None, "assistant: In the harbour."),
    ]


def test_the_date_of_a_conversation_applies_to_all_its_turns() -> None:
    messages = [{"speaker": "Ann", "text": "Hi."}, {"speaker": "Bob", "text": "Hm."}]
    turns = turns_in_json({"date": "2023-05-08", "conversation": messages})
    assert [at_s for _, at_s, _ in turns] == [1683504000.0] * 2


def test_an_export_of_several_conversations_keeps_them_separate() -> None:
    talks = [
        {"title": title, "messages": [{"role": "user", "content": f"About {title}."}]}
        for title in ("boats", "cake")
    ]
    assert [content for *_, content in turns_in_json(talks)] == [
        "# boats\n\nuser: About boats.",
        "# cake\n\nuser: About cake.",
    ]


@pytest.mark.parametrize(
    "loaded",
    [
        [],
        {},
        None,
        "talk",
        {"messages": []},
        {"messages": "many"},
        [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 31}],
        [{"author": "Ann", "text": "A novel", "isbn": "1"}],
        {"mapping": {"a": None}},
        {"mapping": {"a": {"message": {"author": {"role": "user"}}}}},
    ],
)
def test_other_json_is_no_conversation(loaded: object) -> None:
    assert not recognises(loaded)


names = st.sampled_from(["Ann", "Bob", "User", "Q", "A", "Name", "Note", "李明", ""])
lines = st.tuples(
    st.sampled_from(["", "[10:02] ", "31/12/23, 22:15 - ", "# ", "- "]),
    names,
    st.sampled_from([": ", ":", " "]),
    st.text(max_size=40),
).map("".join)


@given(st.lists(lines, max_size=25), st.sampled_from(["\n", "\n\n", "\r\n"]))
def test_offsets_are_exact_for_any_conversation(turns: list[str], separator: str) -> None:
    text = separator.join(turns)
    check_offsets(text, split(text))


def test_a_chat_export(tmp_path: Path) -> None:
    """As ChatGPT writes it: a tree of nodes, the first of which has no message."""
    nodes = {
        "root": {"message": None},
        "1": {
            "message": {
                "author": {"role": "user"},
                "create_time": 1683540000.5,
                "content": {"content_type": "text", "parts": ["Where is it?"]},
            }
        },
        "2": {
            "message": {
                "author": {"role": "assistant"},
                "create_time": 1683540001.5,
                "content": {"content_type": "text", "parts": ["Here.", "Or there."]},
            }
        },
    }
    turns = turns_in_json(json.loads(json.dumps([{"title": "Boats", "mapping": nodes}])))
    assert turns == [
        ("user", 1683540000.0, "user: Where is it?"),
        ("assistant", 1683540001.0, "assistant: Here.\nOr there."),
    ]

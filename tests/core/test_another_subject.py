"""What is about another person or thing is never replaced or repeated, whatever a model says."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from remem.adapters.analysis.threads import ThreadAnalysis
from remem.core.answers.answer_question import answer_question
from remem.core.judgements import NO_CONTEXT, KnownMemory, Relation
from remem.core.judges.by_reader import ReaderJudge
from remem.core.memories.rules.another_subject import is_about_another, names_other_number
from remem.core.ports import Ports
from remem.core.readings import Verdict
from remem.core.scope import Scope
from remem.core.search.model import Query
from tests.core.memories import contents, save

pytestmark = pytest.mark.anyio

SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
PAIRS = 400
NAMES = [
    *"Lena Max Ann Anna Jan Jana Paul Paula Will Hope Rose Mark Grace Confucius Madonna".split(),
    *("Pete Seeger", "Allen Funt", "Roger Zelazny", "Ursula K. Le Guin", "Zainab al-Masri"),
    *("Nguyễn Văn An", "Trần Thị Bình", "Владимир Петров", "Анна Иванова", "王伟", "李娜"),
    *("田中太郎", "佐藤花子", "محمد علي", "فاطمة حسن", "राहुल शर्मा", "प्रिया", "Ελένη", "דוד כהן"),
    *("김민준", "이서연", "สมชาย", "Xóchitl Hernández", "Łukasz Żak", "Ağaoğlu Şükrü", "O'Brien"),
    *("van der Berg", "Zyx Qwrt", "Brxnl", "Oyelaran Adébáyọ̀", "Sigríður Jónsdóttir"),
]
ABOUT_PEOPLE = [
    "{x} was born in the city of {place}.",
    "{x} worked in the city of {place}.",
    "{x} lives in {place}.",
    "{x} has moved to {place}.",
    "{x} is a citizen of {place}.",
    "{x} is married to Tom.",
    "{x} plays the position of {word}.",
    "{x} no longer drinks {word}.",
    "{x} works at {place} now.",
    "{x}'s phone number is now {number}.",
    "{x}: {word}",
    "The phone number of {x} is {number}.",
    "The office of {x} has been moved to {place}.",
    "The deadline for {x} has been changed to Friday.",
    "In May {x} moved to {place}.",
]
THINGS = "gate room kettle service flat unit locker printer Kettle Gate door bus lesson".split()
NUMBERS = "1 2 3 12 B C 4711 3a A12".split()
ABOUT_THINGS = [
    "The code of {x} has been changed to {number}.",
    "The code for {x} is now {number}.",
    "Our {x} is in the {word} room.",
    "{x} was moved to {place}.",
    "We deploy {x} with {word}.",
    "We deploy the {thing} number {n} with {word} now.",
    "The key of {thing} No. {n} is with Tom.",
    "{x}: {number}",
    "Der Code von {x} ist {number}.",
    "El código de {x} es {number}.",
]
# Statements that a model may take for changes, though their things differ.
OTHERS = [
    ("A fact about solar panels exists here.", "A decision about bicycles exists here."),
    (
        "TensorFlow is a library for Machine Learning by Google.",
        "Machine Learning with TensorFlow runs on Kubernetes.",
    ),
    ("PyTorch is a library for Deep Learning.", "Deep Learning with PyTorch runs on Slurm."),
    ("Lexware is a program for invoices by Haufe.", "Invoices with Lexware go to the adviser."),
    ("Strava is an app for bike rides.", "Bike rides with Strava start at the station."),
    ("Pandas is a library for data frames.", "Data frames with Pandas run on a laptop."),
    ("The Thermomix is a machine for soups.", "Soups from the Thermomix taste better."),
    ("Redis is a cache for the shop.", "The shop with Redis runs on Fly."),
    ("Mary lives in Oslo.", "Marie has moved to Rome."),
    ("The author of Dune is Frank Herbert.", "The author of Emma is Jane Austen."),
    ("Bus 12 leaves at 8.", "Bus 14 leaves at 9 now."),
    ("The second gate is locked.", "Gate 3 is open now."),
    ("小明住在北京。", "小红住在上海。"),
    ("太郎は東京に住んでいる。", "花子は大阪に住んでいる。"),
    ("يعيش أحمد في القاهرة", "يعيش عمر في دمشق"),
    ("Leni wohnt in Berlin.", "Max wohnt jetzt in Hamburg."),
]
# Other values of the same, and new holders of a role.
UPDATES = [
    ("My manager is Ana.", "My manager is Ben."),
    ("Ana is my manager.", "Ben is my manager now."),
    ("Ana leads the project.", "Ben leads the project now."),
    ("Ottilie chairs the club.", "Karim was elected chair of the club."),
    ("I live in Paris.", "I moved to Berlin."),
    ("Tom is a vegetarian.", "At home Tom eats meat again."),
    ("We meet in room 4.", "We meet in room 5 now."),
    ("The code of gate 1 is 4711.", "The code of gate 1 has been changed to 9034."),
    ("rent 900 euros", "rent 950 euros"),
    ("Acme is our supplier.", "The contract with Acme ended."),
    ("Lena lives in Paris.", "Lena Meyer moved to Rome."),
    ("Mia is in second grade.", "Mia started third grade."),
    ("We use PostgreSQL 16.", "We use PostgreSQL 17 now."),
    ("Zephyr is our supplier.", "Boreal replaced Zephyr as our supplier."),
    ("Ich wohne in Berlin.", "Ich wohne jetzt in Hamburg."),
    ("Leni wohnt in Berlin.", "Leni wohnt jetzt in Hamburg."),
    ("Das Treffen ist am Montag.", "Das Treffen ist jetzt am Dienstag."),
    ("Vivo en Madrid.", "Ahora vivo en Lima."),
    ("我住在北京。", "我住在上海。"),
    ("私は東京に住んでいる。", "私は大阪に住んでいる。"),
]


class CertainReader:
    """A reader to which every statement replaces every other."""

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return [Verdict(same=0.01, updates=0.97, extends=0.01, unrelated=0.01) for _ in olds]


def pairs_of_people(random_source: random.Random) -> list[tuple[str, str]]:
    pairs = []
    while len(pairs) < PAIRS:
        first, second = random_source.sample(NAMES, 2)
        old_form = random_source.choice(ABOUT_PEOPLE)
        new_form = random_source.choice([old_form, random_source.choice(ABOUT_PEOPLE)])
        pairs.append((filled(old_form, first), filled(new_form, second)))
    return pairs


def pairs_of_things(random_source: random.Random) -> list[tuple[str, str]]:
    pairs = []
    while len(pairs) < PAIRS:
        thing = random_source.choice(THINGS)
        numbers = random_source.sample(NUMBERS, 2)
        form = random_source.choice(ABOUT_THINGS)
        old, new = (filled(form, f"{thing} {n}", thing=thing, n=n) for n in numbers)
        pairs.append((old, new))
    return pairs


def filled(form: str, x: str, **values: str) -> str:
    pick = random.Random(form + x)
    text = form.format(
        x=x,
        place=pick.choice(["New York City", "Paris", "Kyoto", "São Paulo"]),
        word=pick.choice(["tea", "judo", "GitLab"]),
        number=pick.randint(100_000, 999_999),
        **values,
    )
    return text[0].upper() + text[1:]


@pytest.fixture
def certain_reader() -> CertainReader:
    return CertainReader()


async def replaced(reader: CertainReader, old: str, new: str) -> list[Relation]:
    judge = ReaderJudge(ThreadAnalysis(), reader=reader)  # type: ignore[arg-type]
    known = KnownMemory(UUID(int=1), old, 0.8, SAID_AT)
    relations = await judge.relate(new, [known], NO_CONTEXT)
    return [relation for relation in relations if relation.action in ("update", "noop")]


@pytest.mark.parametrize("pairs", [pairs_of_people, pairs_of_things])
async def test_another_name_or_number_never_replaces(
    certain_reader: CertainReader, pairs: Callable[[random.Random], list[tuple[str, str]]]
) -> None:
    wrong = [pair for pair in pairs(random.Random(7)) if await replaced(certain_reader, *pair)]
    assert wrong == []


@pytest.mark.parametrize(("old", "new"), OTHERS)
async def test_another_thing_never_replaces(
    certain_reader: CertainReader, old: str, new: str
) -> None:
    assert await replaced(certain_reader, old, new) == []
    assert await replaced(certain_reader, new, old) == []


@pytest.mark.parametrize(("old", "new"), UPDATES)
def test_another_value_of_the_same_may_replace(old: str, new: str) -> None:
    assert not is_about_another(new, old)


class EagerJudge:
    """A language model that takes every known statement for replaced."""

    asks_model = True

    def __init__(self, judge: object) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> object:
        return getattr(self._judge, name)

    async def relate_ahead(
        self, content: str, known: Sequence[KnownMemory], speaker: str | None
    ) -> list[Relation]:
        return [Relation("update", memory.id, 1.0, ("always",)) for memory in known]


async def test_a_language_model_replaces_no_stranger(ports: Ports, scope: Scope) -> None:
    eager = replace(ports, judge=EagerJudge(ports.judge))  # type: ignore[arg-type]
    said = ["The code of gate 1 is 4711.", "The code of gate 2 is 6620.", "王伟 lives in Rome."]
    for text in [*said, "李娜 lives in Rome."]:
        await save(eager, scope, text)
    assert sorted(await contents(ports, scope)) == sorted([*said, "李娜 lives in Rome."])
    await save(eager, scope, "The code of gate 2 is 7777.")
    assert "The code of gate 2 is 6620." not in await contents(ports, scope)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the code of gate 1?", "4711"),
        ("What is the code of gate 2?", "6620"),
        ("gate one code?", "4711"),
        ("What is the code of the second gate?", "6620"),
        ("What is the code of gate 4?", None),
        ("When does bus 12 leave?", "8:10"),
        ("When does bus 15 leave?", None),
        ("How do we deploy service number 1?", "GitLab"),
    ],
)
async def test_an_answer_is_about_the_thing_of_that_number(
    ports: Ports, scope: Scope, question: str, answer: str | None
) -> None:
    for text in (
        "The code of gate 1 has been changed to 4711.",
        "The code of gate 2 has been changed to 6620.",
        "The code of gate 3 has been changed to 9034.",
        "Bus 12 leaves at 8:10.",
        "Bus 14 now leaves at 9:20.",
        "We deploy service number 1 with GitLab.",
        "We deploy service number 2 with Jenkins now.",
    ):
        await save(ports, scope, text)
    assert (await answer_question(ports, scope, Query(question))).text == answer


@pytest.mark.parametrize("text", ["We meet on the 3rd", "the first", "1st", ""])
def test_a_number_without_a_thing_is_no_other_thing(text: str) -> None:
    assert not names_other_number(text, "Which code has gate 1?")
    assert not names_other_number("The code of gate 1 is 4711.", text)


@pytest.mark.parametrize("other", ["floor -2", "floor 1", "floor \u22122", "floor 2"])
def test_a_sign_is_part_of_a_number(other: str) -> None:
    assert names_other_number(f"The code of {other} is 9034.", "What is the code of floor -1?")
    assert is_about_another(f"The code of {other} is now 9034.", "The code of floor -1 is 4711.")
    assert not names_other_number("The code of floor \u22121 is 1.", "Is the code of floor -1 new?")


@pytest.mark.parametrize(
    ("question", "same", "other"),
    [
        ("五号门的密码是多少？", "五号门的密码是4711。", "四号门的密码是6620。"),
        ("5号门的密码是多少？", "五号门的密码是4711。", "十五号门的密码是6620。"),
        ("１２號房的密碼是多少？", "十二號房的密碼是4711。", "二號房的密碼是6620。"),
        ("5号室の暗証番号は？", "五号室の暗証番号は4711です。", "3号室の暗証番号は6620です。"),
        (
            "2번 문의 비밀번호는?",
            "2번 문의 비밀번호는 4711입니다.",
            "1번 문의 비밀번호는 6620입니다.",
        ),
    ],
)
def test_a_number_before_its_sign_is_part_of_the_subject(
    question: str, same: str, other: str
) -> None:
    assert names_other_number(other, question)
    assert not names_other_number(same, question)

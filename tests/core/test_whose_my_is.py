"""What a stranger says of themselves is no answer about the user, in any language."""

from uuid import UUID

import pytest

from remem.core.answers.model import Source
from remem.core.answers.people import is_about_user, may_answer
from remem.core.language.person import file_speaker, may_be_of_self, page_speaker

SAID = [
    ("我的银行账号是 5551234。", "我的银行账号是多少？"),
    ("我的銀行帳號是 5551234。", "我的銀行帳號是多少？"),
    ("私の口座番号は 5551234 です。", "私の口座番号は？"),
    ("僕の車は青いです。", "僕の車は何色ですか？"),
    ("내 계좌 번호는 5551234 입니다.", "내 계좌 번호는 무엇입니까?"),
    ("Benim hesap numaram 5551234.", "Benim hesap numaram nedir?"),
    ("أنا أسكن في بيروت.", "أين أسكن أنا؟"),
    ("מספר החשבון שלי הוא 5551234.", "מה מספר החשבון שלי?"),
    ("मेरा खाता नंबर 5551234 है।", "मेरा खाता नंबर क्या है?"),
    ("আমার ফোন নম্বর 5551234।", "আমার ফোন নম্বর কত?"),
    ("Ο αριθμός λογαριασμού μου είναι 5551234.", "Ποιος είναι ο αριθμός λογαριασμού μου;"),
    ("Můj účet má číslo 5551234.", "Jaké číslo má můj účet?"),
    ("Az én számlaszámom 5551234.", "Mi az én számlaszámom?"),
    ("Minun tilinumeroni on 5551234.", "Mikä on minun tilinumeroni?"),
    ("Số tài khoản của tôi là 5551234.", "Số tài khoản của tôi là gì?"),
    ("เลขบัญชีของฉันคือ 5551234", "เลขบัญชีของฉันคืออะไร"),
    ("Мій рахунок 5551234.", "Який мій рахунок?"),
    ("Моята сметка е 5551234.", "Каква е моята сметка?"),
    ("Nomor rekening saya adalah 5551234.", "Berapa nomor rekening saya di bank?"),
    ("شماره حساب من 5551234 است.", "شماره حساب من چیست؟"),
    ("Mit kontonummer er 5551234.", "Hvad er mit kontonummer?"),
    ("Trabajo en Iberia desde mayo.", "¿Dónde trabajo?"),
    ("Vivo en Sevilla con mis padres.", "¿Dónde vivo?"),
]
OF_NOBODY = [
    "Wer kommt mit nach Graz?",
    "Wann ist die Prüfung?",
    "私立学校は何時に始まりますか",
    "Müllabfuhr am 3. Mai",
    "Wat is er op 5 mei?",
    "من أين هو؟",
    "When does the Vivo shop close?",
]


def source(text: str, speaker: str | None) -> Source:
    return Source(text, "document", UUID(int=1), speaker=speaker)


@pytest.mark.parametrize(("statement", "question"), SAID)
def test_a_stranger_does_not_answer_what_is_asked_of_the_user(
    statement: str, question: str
) -> None:
    assert is_about_user(question)
    assert not may_answer(question, source(statement, "Karla Fremd"))
    assert not may_answer(question, source(statement, page_speaker("Blog")))
    assert may_answer(question, source(statement, None))
    assert may_answer(question, source(statement, file_speaker("notes.md")))


@pytest.mark.parametrize("text", OF_NOBODY)
def test_words_that_mean_something_else_are_not_the_speaker(text: str) -> None:
    assert not may_be_of_self(text)

"""Who wrote the parts of a mail: its sender, and whom it quotes or forwards."""

import pytest

from remem.adapters.extractors.quoted import UNNAMED, parts_of
from remem.core.chunking.messenger import SYSTEM

WORDS = "My account is X99."
INTRODUCTIONS = {
    "On Tue, Nov 3, 2026 at 10:00 AM Ann Smith <ann@example.org> wrote:": "Ann Smith",
    "On 3 Nov 2026, at 10:00, Ann Smith <ann@example.org> wrote:": "Ann Smith",
    "On Tue, Nov 3, 2026 at 10:00 AM Ann Smith <\nann@example.org> wrote:": "Ann Smith",
    "Ann Smith wrote on 3 Nov 2026 10:00:": "Ann Smith",
    "On 11/3/26 10:00, ann@example.org wrote:": "ann@example.org",
    "Am 03.11.2026 um 10:00 schrieb Ann Smith <ann@example.org>:": "Ann Smith",
    "Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb Ann Smith <\nann@example.org>:": "Ann Smith",
    "Am 03.11.26 um 10:00 schrieb Jörg Müller:": "Jörg Müller",
    "Le mar. 3 nov. 2026 à 10:00, Zoé Faure <zoe@example.org> a écrit :": "Zoé Faure",
    "Le 3 novembre 2026 à 10:00, Zoé Faure a écrit :": "Zoé Faure",
    "El mar, 3 nov 2026 a las 10:00, Íñigo Paz (<i@example.org>) escribió:": "Íñigo Paz",
    "Il giorno mar 3 nov 2026 alle ore 10:00 Ada Riva <a@example.org> ha scritto:": "Ada Riva",
    "Op di 3 nov 2026 om 10:00 schreef Jan de Wit <jan@example.org>:": "Jan de Wit",
    "Em ter., 3 de nov. de 2026 às 10:00, Rui Sá <rui@example.org> escreveu:": "Rui Sá",
    "Den tis 3 nov. 2026 kl 10:00 skrev Åsa Ek <asa@example.org>:": "Åsa Ek",
    "вт, 3 нояб. 2026 г. в 10:00, Анна Белова <a@example.org>:": "Анна Белова",
    "2026年11月3日(火) 10:00 山田太郎 <taro@example.org>:": "山田太郎",
    "王小明 <wang@example.org> 于2026年11月3日周二 10:00写道：": "王小明",
}
HEADERS = {
    "-----Original Message-----\nFrom: Ann Smith <ann@example.org>\nSent: Tuesday\nTo: Kim\n"
    "Subject: Refund": "Ann Smith",
    "---------- Forwarded message ---------\nFrom: Ann Smith <ann@example.org>\nDate: Tue\n"
    "Subject: Refund\nTo: <kim@example.org>": "Ann Smith",
    "Begin forwarded message:\n\n*From: *Ann Smith <ann@example.org>\n*Subject: *Refund\n"
    "*Date: *Tuesday": "Ann Smith",
    "________________________________\nVon: Jörg Müller\nGesendet: Dienstag\nAn: Kim\n"
    "Betreff: Geld": "Jörg Müller",
    "De : Zoé Faure\nEnvoyé : mardi\nÀ : Kim\nObjet : Argent": "Zoé Faure",
    "De: Íñigo Paz <i@example.org>\nEnviado: martes\nPara: Kim\nAsunto: Dinero": "Íñigo Paz",
    "Da: Ada Riva\nInviato: martedì\nA: Kim\nOggetto: Soldi": "Ada Riva",
    "Van: Jan de Wit\nVerzonden: dinsdag\nAan: Kim\nOnderwerp: Geld": "Jan de Wit",
    "差出人: 山田太郎 <taro@example.org>\n送信日時: 火曜日\n宛先: Kim\n件名: お金": "山田太郎",
    "发件人: 王小明\n发送时间: 星期二\n收件人: Kim\n主题: 钱": "王小明",
    "-------- Weitergeleitete Nachricht --------\nBetreff: Geld\nVon: Jörg Müller": "Jörg Müller",
}


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
@pytest.mark.parametrize("prefix", ["> ", ">"])
def test_a_quoted_reply_is_its_authors(introduction: str, prefix: str) -> None:
    body = f"I agree.\n\n{introduction}\n{prefix}{WORDS}\n{prefix}\n{prefix}Bye.\n\nI live in Bonn."
    parts = [(part.author, part.text.strip()) for part in parts_of(body)]
    name = INTRODUCTIONS[introduction]
    assert parts == [
        (None, "I agree."),
        (SYSTEM, introduction),
        (name, f"{WORDS}\n\nBye."),
        (None, "I live in Bonn."),
    ]


@pytest.mark.parametrize("header", HEADERS)
def test_a_forwarded_mail_is_its_senders(header: str) -> None:
    parts = parts_of(f"See.\n\n{header}\n\n{WORDS}")
    assert (parts[0].author, parts[0].text.split()[0]) == (None, "See.")
    assert header.endswith(parts[1].text.strip()) and parts[1].author == SYSTEM
    assert [(part.author, part.text.strip()) for part in parts[2:]] == [(HEADERS[header], WORDS)]


def test_quotations_in_quotations() -> None:
    body = (
        "Fine.\nOn 4 Nov 2026, Bo Lee wrote:\n> I paid.\n> On 3 Nov 2026, Ann Smith wrote:\n"
        f">> {WORDS}\n> I will call.\nThanks."
    )
    spoken = [(part.author, part.text.split("\n")[0].strip()) for part in parts_of(body)]
    spoken = [part for part in spoken if part[0] != SYSTEM]
    assert spoken == [
        (None, "Fine."),
        ("Bo Lee", "I paid."),
        ("Ann Smith", WORDS),
        ("Bo Lee", "I will call."),
        (None, "Thanks."),
    ]


def test_a_quotation_that_names_nobody_is_not_the_senders() -> None:
    parts = parts_of(f"> {WORDS}\nYes.")
    assert [(part.author, part.text) for part in parts] == [(UNNAMED, WORDS), (None, "Yes.")]


@pytest.mark.parametrize(
    "body",
    [
        "I wrote to you on 3 November:\nthe heating is broken.",
        "Our address: Elm Street 5\nPhone: 123\nOpen: 9 to 5\n\nI live in Bonn.",
        "The plan for 2026:\n- paint the house",
        "From: Bonn\nTo Berlin by train.",
    ],
)
def test_the_senders_own_words_stay_theirs(body: str) -> None:
    assert [part.author for part in parts_of(body)] == [None]

"""The end of validity that a statement names, in other languages than English."""

from datetime import UTC, datetime

import pytest

from remem.core.memories.rules.expiry import valid_until_of

SAID_AT = datetime(2026, 11, 16, 9, tzinfo=UTC)


def end_of(text: str) -> str | None:
    end = valid_until_of(text, SAID_AT)
    return end.date().isoformat() if end else None


@pytest.mark.parametrize(
    "text",
    [
        "Das Ticket gilt bis 5. März 2027.",
        "Der Ausweis ist gültig bis zum 05.03.2027.",
        "Gutschein, einlösbar bis 5.3.27",
        "Der Vertrag läuft bis einschließlich 5. März 2027.",
        "Bis zum 5. März 2027 gültig: 20 % Rabatt",
        "Gilt bis 2027-03-05",
        "Gilt bis 5.3.",
        "Le billet est valable jusqu'au 5 mars 2027.",
        "Carte valide jusqu’au 5 mars 2027",
        "El billete es válido hasta el 5 de marzo de 2027.",
        "Licencia vigente hasta el día 05/03/2027",
        "Il biglietto è valido fino al 5 marzo 2027.",
        "O bilhete é válido até 5 de março de 2027.",
        "Het kaartje is geldig tot en met 5 maart 2027.",
        "Karnet ważny do dnia 5 marca 2027.",
        "Jízdenka platí do 5. března 2027.",
        "Cestovný lístok platí do 5. marca 2027.",
        "Biljetten gäller till och med 5 mars 2027.",
        "Billetten er gyldig til 5. marts 2027.",
        "Billetten er gyldig til 5. mars 2027.",
        "Lippu on voimassa 5.3.2027 asti.",
        "Билет действителен до 5 марта 2027 года.",
        "Квиток дійсний до 5 березня 2027.",
        "Bilet 5 Mart 2027'ye kadar geçerlidir.",
        "A jegy érvényes 2027. március 5-ig.",
        "Biletul este valabil până la 5 martie 2027.",
        "Το εισιτήριο ισχύει έως τις 5 Μαρτίου 2027.",
        "Tiket berlaku sampai dengan 5 Maret 2027.",
        "Vé có hiệu lực đến hết ngày 5 tháng 3 năm 2027.",
        "チケットは2027年3月5日まで有効です。",
        "有効期限は2027年3月5日です。",
        "门票有效期至2027年3月5日。",
        "티켓은 2027년 3월 5일까지 유효합니다.",
    ],
)
def test_the_end_of_validity_is_the_end_of_its_day(text: str) -> None:
    assert end_of(text) == "2027-03-06"


@pytest.mark.parametrize(
    "text",
    [
        "gültig bis März 2027",
        "Gilt bis Ende März 2027.",
        "valable jusqu'à fin mars 2027",
        "válido hasta 03/2027",
        "ważne do końca marca 2027",
    ],
)
def test_a_month_ends_with_its_last_day(text: str) -> None:
    assert end_of(text) == "2027-04-01"


@pytest.mark.parametrize(
    "text",
    [
        "Der Ausweis war gültig bis 05.03.2027.",
        "Der Pass ist nicht gültig bis 5. März 2027.",
        "La carte n'est plus valable jusqu'au 5 mars 2027.",
        "El billete no es válido hasta el 5 de marzo de 2027.",
        "Bilet nie jest ważny do 5 marca 2027.",
        "Билет был действителен до 5 марта 2027.",
        "Ich arbeite bis 5. März 2027 in Bern.",
        "Er gilt als pünktlich. Bis 5. März 2027 arbeite ich.",
        "Das Ticket gilt bis 5. März 2019.",
        "Das Ticket gilt bis 31. Februar 2027.",
        "Das Gesetz gilt ab 5. März 2027.",
        "Valentin est à Paris jusqu'au 5 mars 2027.",
    ],
)
def test_what_is_no_end_of_validity(text: str) -> None:
    assert end_of(text) is None

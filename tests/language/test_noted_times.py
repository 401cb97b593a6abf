"""Times as notes name them, in many languages: a phrase by itself, and the days within a text."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.language.lists import table
from remem.core.language.times.noted import languages_of, noted_times
from remem.core.language.times.phrases.read import read_phrase, times_in_text
from remem.core.memories.rules.dates import certain_times, due_of

# A Wednesday.
WRITTEN = datetime(2026, 3, 11, 18, 30, tzinfo=UTC)
PHRASES = [
    ("en", "thurs 19 mar 7pm", "2026-03-19 19:00"),
    ("en", "April 2nd", "2026-04-02"),
    ("en", "fri 20/3", "2026-03-20"),
    ("en", "in 3 wks", "2026-04-01"),
    ("en", "end of june", "2026-06-30"),
    ("en", "tmrw 8:15am", "2026-03-12 08:15"),
    ("de", "Mo 23.3. um halb neun", "2026-03-23 08:30"),
    ("de", "bis 5. Jänner", "2027-01-05"),
    ("de", "Mo 23.3. von 9 bis 11 Uhr", "2026-03-23 09:00"),
    ("de", "23.3. von 19.00 bis 20.30", "2026-03-23 19:00"),
    ("de", "23.3. 19-20.30 Uhr", "2026-03-23 19:00"),
    ("fr", "lun 23/3 de 19h à 20h30", "2026-03-23 19:00"),
    ("es", "lun 23/3 de 19:00 a 20:30", "2026-03-23 19:00"),
    ("ru", "пн 23.03 с 18:00 до 19:00", "2026-03-23 18:00"),
    ("de", "übermorgen 17 Uhr", "2026-03-13 17:00"),
    ("de", "24.-26. Juli", "2026-07-24"),
    ("fr", "mar 17 mars 14h30", "2026-03-17 14:30"),
    ("fr", "fin avril", "2026-04-30"),
    ("fr", "après-demain", "2026-03-13"),
    ("es", "sáb 21 de marzo a las 10", "2026-03-21 10:00"),
    ("es", "pasado mañana", "2026-03-13"),
    ("it", "gio 2/4 ore 9.45", "2026-04-02 09:45"),
    ("it", "fra 2 settimane", "2026-03-25"),
    ("pt", "terça 24/3 às 15h", "2026-03-24 15:00"),
    ("pt", "até dia 20", "2026-03-20"),
    ("nl", "wo 25 mrt om half acht", "2026-03-25 07:30"),
    ("nl", "overmorgen", "2026-03-13"),
    ("pl", "pt 27.03 godz. 16", "2026-03-27 16:00"),
    ("pl", "do 9 kwietnia", "2026-04-09"),
    ("ru", "пн 16.03 к 9:40", "2026-03-16 09:40"),
    ("ru", "через 10 дней", "2026-03-21"),
    ("ru", "31 мая", "2026-05-31"),
    ("uk", "вт 17 березня 8:30", "2026-03-17 08:30"),
    ("cs", "út 17. 3. v 7:15", "2026-03-17 07:15"),
    ("tr", "14 nisan salı saat 13.30", "2026-04-14 13:30"),
    ("tr", "3 gün sonra", "2026-03-14"),
    ("sv", "tors 26/3 kl 8.10", "2026-03-26 08:10"),
    ("sv", "senast 30/4", "2026-04-30"),
    ("ar", "الأحد ٢٢ مارس ٥ مساء", "2026-03-22 17:00"),
    ("ar", "4 نيسان", "2026-04-04"),
    ("hi", "सोमवार 16 मार्च सुबह 10 बजे", "2026-03-16 10:00"),
    ("hi", "परसों", "2026-03-13"),
    ("zh", "下周五下午三点半", "2026-03-20 15:30"),
    ("zh", "四月十二号", "2026-04-12"),
    ("ja", "3月25日(水) 午後2時", "2026-03-25 14:00"),
    ("ja", "明後日", "2026-03-13"),
    ("ko", "3월 19일 목요일 오후 4시 반", "2026-03-19 16:30"),
    ("ko", "다음 주 화요일", "2026-03-17"),
    ("el", "Τρίτη 17 Μαρτίου", "2026-03-17"),
    ("da", "tirsdag 24. marts kl 9", "2026-03-24 09:00"),
    ("fi", "pe 20.3. klo 8.45", "2026-03-20 08:45"),
    ("vi", "thứ sáu ngày 20 tháng 3", "2026-03-20"),
]
DUE = [
    ("appt physio moved, now mon 23 mar 9:20", "2026-03-23"),
    ("Zahnarzt Do 19.3. 8h15, Karte mitnehmen", "2026-03-19"),
    ("contrôle technique avant le 11/04", "2026-04-11"),
    ("entregar formulario antes del 28/3", "2026-03-28"),
    ("revisione moto sab 4 aprile, officina Bianchi", "2026-04-04"),
    ("dentysta wt 24.03 godz. 15.20", "2026-03-24"),
    ("сдать анализы пт 20.03 8:00", "2026-03-20"),
    ("diş randevusu 2 nisan perşembe 11.00", "2026-04-02"),
    ("موعد الطبيب الخميس 19 مارس 10 الصبح", "2026-03-19"),
    ("房租 4月5日前交", "2026-04-05"),
    ("歯医者 3/26木 16時", "2026-03-26"),
    ("치과 3/24 화 오전 10시", "2026-03-24"),
    ("tandarts di 31/3 11u15", "2026-03-31"),
    ("besiktning 14/4 kl 9.40 i Lund", "2026-04-14"),
    ("Zahnarzt 30.03.2026", "2026-03-30"),
    ("Zahnarzt am 30.3.2026", "2026-03-30"),
    ("Kaminkehrer am 30.3.", "2026-03-30"),
    ("Dentista il 3.4.2026", "2026-04-03"),
    ("Reunión de padres 12.04.2026", "2026-04-12"),
    ("Стоматолог 3.4.2026", "2026-04-03"),
    ("歯医者 2026-03-26", "2026-03-26"),
]
NOT_DUE = [
    "open 24/7, really",
    "1/2 cup milk, 3/4 cup sugar",
    "bread 3.50 milk 1.20",
    "2nd hand bike from Tom",
    "bins every tues 7am",
    "router firmware 2.11 installed",
    "Müll jeden Donnerstag 7 Uhr",
    "Zahnarzt Do 19.3. 8h15 abgesagt",
    "Omas Geburtstag 2.4.",
    "Omas Geburtstag 2.4.2027",
    "Zahnarzt 30.03.2026 abgesagt",
    "Zahnarzt 3.3.2026",
    "cumpleaños de Inés 19 de abril",
    "腊月二十前 打糍粑",
    "Impfung war am 2.3.",
    "Score war 3:2, 14. Platz",
    "Pump pressure: 1.6.",
    "Pumpendruck: 1.6.",
    "Pression de la pompe : 1.6.",
    "presión de 1.6.",
    "Давление: 1.6.",
    "혈당 6.8. 지난번 7.1.",
    "The spindle of the pump has 4.5.",
    "Pump at 4.5.",
    "Pressure 4.5 to 5.6.",
    "Druck 4.5 bis 5.6.",
    "Pressure 4.5. Check again.",
    "Version 4.5. installed",
    "Firmware v4.5.27",
    "Kapitel 4.5. lesen",
    "siehe 4.5. und 4.6.",
    "См. 4.5.",
    "§ 4.5.",
    "4.5.1 is fine on deck",
    "Note: 4.5.",
    "Kurs 4.05.",
    "BP: 14/9",
    "Router 10.4.5.6.",
    "Ratio 4:5.",
    "Pizza 4.50, Cola 5.20.",
]
# Figures that may be a number, with what makes them a day.
DAYS_IN_FIGURES = [
    "Zahnarzt 1.6.",
    "Zahnarzt: 1.6.",
    "zubař 1.6.",
    "стоматолог 1.6.",
    "Pumpe am 1.6.",
    "Pump check on 1.6.2026",
    "Pumpe 1.6.26",
    "Pumpe Mo 1.6.",
    "Pumpe 01.06.",
    "Pumpe ab 1.6., Druck 2.4 bar",
    "pumpa den 1.6.",
    "Finja zieht 1.6. aus",
    "1.6. Pumpe",
    "Pumpe bis 1.6.",
    "Pumpe 1.6. 9 Uhr",
    "Müll am 18.5., Pumpe 1.6.",
]


@pytest.mark.parametrize(("language", "phrase", "expected"), PHRASES)
def test_a_phrase_names_a_day_and_a_time(language: str, phrase: str, expected: str) -> None:
    found = read_phrase(phrase, WRITTEN, (language, "en"))
    assert found is not None
    clock = f" {found.clock:%H:%M}" if found.clock else ""
    assert f"{found.day}{clock}" == expected


@pytest.mark.parametrize(("text", "day"), DUE)
def test_an_appointment_in_a_note_is_due(text: str, day: str) -> None:
    due = due_of(text, certain_times(text, WRITTEN), WRITTEN)
    assert due is not None
    assert due.date().isoformat() == day


@pytest.mark.parametrize("text", DAYS_IN_FIGURES)
def test_figures_are_a_day_beside_what_says_so(text: str) -> None:
    days = [f"{time.due:%F}" for time in certain_times(text, WRITTEN)]
    assert days[-1] == "2026-06-01"


@pytest.mark.parametrize("text", NOT_DUE)
def test_what_only_looks_like_an_appointment_is_not(text: str) -> None:
    assert due_of(text, certain_times(text, WRITTEN), WRITTEN) is None


@pytest.mark.parametrize(
    "text",
    [
        "Müll am 30.3. und am 17.4.",
        "Müll am 30.3.2026 und 7.12.2026",
        "Müll 30.3. e 7.12.",
        "poubelles le 30/3 et le 17/4",
        "contenedor 30/3 y 17/4",
    ],
)
def test_two_days_in_figures_are_two(text: str) -> None:
    first, second = noted_times(text, WRITTEN)
    assert (first.first.month, first.first.day, first.grain) == (3, 30, "day")
    assert (second.first.day, second.grain) in ((17, "day"), (7, "day"))


def test_a_day_that_is_just_over_is_not_next_year() -> None:
    [found] = times_in_text("Reifen am 28.2. gewechselt", WRITTEN, ("de",), ahead=None)
    assert found.time.day.isoformat() == "2026-02-28"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("dentist 4/9 5pm, invoice 3/27", "2026-04-09"),
        ("dentist 4/9 5pm, invoice 27/3", "2026-09-04"),
    ],
)
def test_one_date_tells_whether_months_come_first(text: str, day: str) -> None:
    assert noted_times(text, WRITTEN)[0].first.date().isoformat() == day


def test_a_time_has_its_place_in_the_text() -> None:
    text = "Kita: Fest Sa 13.6. ab 14 Uhr, Kuchen"
    [found] = noted_times(text, WRITTEN)
    assert text[found.start : found.end] == "Sa 13.6. ab 14 Uhr"


def test_every_language_has_all_weekdays() -> None:
    for language, words in table("times", "any").items():
        assert len(words["weekdays"].split(";")) == 7, language
        assert language not in ("", None)


@pytest.mark.parametrize(
    "text",
    [
        "Contract without an end: 31.12.9999.",
        "Reisepass Ablauf 31/12/9999",
        "合同 9999年12月31日 到期",
        "계약 9999년 12월 31일 만료",
    ],
)
def test_the_last_day_of_the_calendar_is_no_due_day_and_hides_no_other(text: str) -> None:
    assert noted_times(text, WRITTEN) == []
    [found] = noted_times(f"{text}\n2026-03-19 08:15", WRITTEN)
    assert f"{found.first:%F %H:%M}" == "2026-03-19 08:15"


@given(
    st.lists(st.sampled_from("31. 12. 9999 0001 1. 1. / - in 400 years ago tomorrow Mon".split())),
    st.datetimes(timezones=st.timezones()),
)
def test_any_day_may_be_near_the_ends_of_the_calendar(words: list[str], written: datetime) -> None:
    for text in ("".join(words), " ".join(words)):
        noted_times(text, written)


@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    for language in languages_of(text):
        for found in times_in_text(text, WRITTEN, (language,), ahead=None):
            assert 0 <= found.start < found.end <= len(text)
    noted_times(text, WRITTEN)


@given(st.text(alphabet="0123456789./-: MoTuWednFri年月日号上下周", max_size=60))
def test_numbers_and_signs_in_any_order_are_read(text: str) -> None:
    for language in ("en", "zh", "de"):
        read_phrase(text, WRITTEN, (language,))

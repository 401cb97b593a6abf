"""Words of all languages: other forms, parts of compounds, numbers and days are found."""

import pytest

from remem.core.language.numerals import days_in, numbers_in
from remem.core.language.tokens import query_terms, terms
from remem.core.language.word_keys import query_words, text_keys


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("die wohnungsschlüssel liegen beim nachbarn", "wo ist der Schlüssel?"),
        ("wir haben die winterreifen im keller", "wo sind die Reifen?"),
        ("haftpflichtversicherung läuft bis märz", "Welche Versicherungen haben wir?"),
        ("die häuser am see werden verkauft", "was kostet das Haus?"),
        ("we hebben de huissleutels bij oma gelaten", "waar zijn de sleutels?"),
        ("vi har bytt ytterdörrens låscylinder hos låssmeden", "vilken cylinder har vi?"),
        ("les factures sont chez la gardienne", "combien la facturation ?"),
        ("la reunión con los abogados es el lunes", "¿cuándo son las reuniones?"),
        ("ключи лежат у соседки", "где мои ключи от дома?"),
        ("скільки коштувала ремонтна майстерня", "де ремонт?"),
        ("schody do piwnicy są zamknięte kluczem", "gdzie są klucze?"),
        ("anahtarları komşuya bıraktım ve çıktım", "anahtarlarım nerede?"),
        ("المفاتيح عند الجارة", "أين مفتاحي ومفاتيح البيت؟"),
        ("הפתחים של הגינה אצל השכנה", "איפה פתחי הגינה?"),
        ("चाबियाँ पड़ोसी के पास हैं", "चाबी कहाँ है"),
        ("커피를 두 잔 마셨다", "커피는 어디에 있어?"),
        ("鍵は隣の人に預けた", "鍵はどこですか"),
        ("护照在抽屉里", "我的护照在哪里？"),
        ("الإيجار ٤٥٠٠ جنيه", "كام الايجار 4500"),
        ("مستشفى السلام", "المستشفي فين"),
        ("المدرسة والباص", "الباص بكام"),
        ("下班后去接小孩", "接孩子的时间"),
        ("กุญแจอยู่กับเพื่อนบ้าน", "กุญแจอยู่ที่ไหน"),
        ("ကျွန်တော့်သော့ အိမ်မှာ", "သော့ ဘယ်မှာလဲ"),
        ("τα κλειδιά είναι στη γειτόνισσα", "πού είναι το κλειδί;"),
    ],
)
def test_a_question_finds_other_forms(text: str, query: str) -> None:
    assert query_words(query).found_in(text)


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("wo sind die Autoschlüssel?", ["autoschlussel"]),
        ("Was ist das Passwort für das WLAN?", ["passwort", "wlan"]),
        ("¿dónde está el pasaporte?", ["pasaport"]),
        ("où est l'alarme ?", ["alarm"]),
        ("dov'è il passaporto?", ["passaporto"]),
        ("gdzie jest paszport?", ["paszport"]),
        ("kde mám pas?", ["pas"]),
        ("де мій паспорт?", ["паспорт"]),
        ("anahtar neredeydi", ["anahtar"]),
        ("missä on passi?", ["passi"]),
        ("πού είναι το διαβατήριο;", ["διαβατηριο"]),
        ("أين جواز السفر؟", ["جواز", "السفر"]),
        ("איפה הדרכון שלי?", ["הדרכון"]),
        ("पासपोर्ट कहाँ है", ["पासपोर्ट"]),
        ("여권 어디 있지?", ["여권"]),
        ("旅券はどこ", ["旅券"]),
        ("りんごはどこ", ["りん", "んご"]),
        ("护照在哪里？", ["护照"]),
        ("มีดอยู่ที่ไหน", ["มี", "ีด"]),
        ("Where is my passport?", ["passport"]),
    ],
)
def test_the_frame_of_a_question_is_not_searched_for(query: str, topic: list[str]) -> None:
    assert query_terms(query) == [term for text in topic for term in query_terms(text)]


@pytest.mark.parametrize("query", ["Was war das?", "¿qué es esto?", "そうですか", "ที่ไหน", "는"])
def test_a_question_of_stop_words_alone_keeps_them(query: str) -> None:
    assert query_terms(query)


def test_words_of_several_languages_belong_to_the_language_of_the_query() -> None:
    assert "die" in query_terms("why do batteries die")
    assert "die" not in query_terms("wo sind die Batterien")
    assert "war" in query_terms("a book about the war")
    assert "ward" in query_terms("ward phone extension")
    assert "size" in query_terms("Lorraine's shoe size?")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.684,22 €", "1684.22"),
        ("1 684,22", "1684.22"),
        ("1\u202f684,22", "1684.22"),
        ("1'684.22 CHF", "1684.22"),
        ("1,684.22", "1684.22"),
        ("12,50", "12.5"),
        ("1.684.000", "1684000"),
        ("٥٠٠", "500"),
        ("६०", "60"),
    ],
)
def test_a_number_has_one_form(text: str, number: str) -> None:
    assert list(numbers_in(text)) == [number]


@pytest.mark.parametrize("text", ["192.168.1.1", "v1.2.3", "10:30", "040/123456", "2026-12-27"])
def test_other_digits_are_no_numbers_with_separators(text: str) -> None:
    assert list(numbers_in(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "27.12.", "27. 12. 2026", "27/12/2026", "12/27", "2026-12-27", "am 27. Dezember um 8",
        "27 dec", "Dec. 27th, 2026", "December 27", "the 27th of December", "27 décembre",
        "27 de diciembre", "27 grudnia", "27 грудня", "27 aralık", "12月27日", "12월 27일",
        "27 tháng 12", "27 ديسمبر", "٢٧ ديسمبر", "२७ दिसंबर", "27 ธันวาคม", "27 दिसंबर",
    ],
)  # fmt: skip
def test_a_day_has_one_form(text: str) -> None:
    assert set(days_in(text)) == {(12, 27)}


def test_a_day_is_found_however_it_is_written() -> None:
    assert query_words("was ist am 27. Dezember?").found_in("zahnarzt 27.12. 9h15") >= {"~12-27"}
    assert query_words("what is on 27 December?").found_in("dentista 27/12 9h15") >= {"~12-27"}


def test_both_readings_of_a_day_are_indexed() -> None:
    assert set(days_in("3/4")) == {(3, 4), (4, 3)}
    assert set(days_in("3.4.")) == {(4, 3)}
    assert set(days_in("10.30 Uhr, 1:30, 3.141")) == set()


def test_an_english_text_and_query_have_no_keys() -> None:
    assert not text_keys("The reservations for the hotel were confirmed by the manager.")
    query = query_words("Where are the reservations for the hotel?")
    assert query.words == {"reserv", "hotel"}


def test_keys_are_not_terms() -> None:
    text = "die wohnungsschlüssel für das haus"
    assert not set(text_keys(text)) & set(terms(f"{text} ~wohn ~~ssel"))


@pytest.mark.parametrize("text", ["", "~", "🙂", "\u0651", "ー", "7", "가", "'"])
def test_any_text_has_keys_or_none(text: str) -> None:
    assert all(text_keys(text).values())
    assert query_words(text).found_in(text) == query_words(text).words

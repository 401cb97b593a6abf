"""Questions for times and places in languages other than English."""

import pytest

from remem.core.answers.in_other_languages import is_no_time_or_place
from remem.core.language.lists import table

TIMES = {
    "de": ("Wann ist der Umzug?", "Der Umzug ist am {}.", "Freitag", "Umzugswagen"),
    "fr": ("Quand arrive Odile ?", "Odile arrive {}.", "jeudi", "fatiguée"),
    "es": ("¿Cuándo es el cumpleaños de Carmen?", "Lo de Carmen es {}.", "mañana", "Trufa"),
    "it": ("Quando parte il treno?", "Il treno parte {}.", "stasera sera", "pieno"),
    "pt": ("Quando é o casamento?", "O casamento é {}.", "amanhã", "grande"),
    "nl": ("Wanneer komt de loodgieter?", "De loodgieter komt {}.", "dinsdag", "niet"),
    "pl": ("Kiedy przyjeżdża babcia?", "Babcia przyjeżdża {}.", "jutro", "pociągiem"),
    "sv": ("När stänger badet?", "Badet stänger {}.", "söndagar", "tidigt"),
    "da": ("Hvornår lukker banken?", "Banken lukker {}.", "fredag", "tidligt"),
}
PLACES = {
    "de": ("Wo ist der Schlüssel?", "Der Schlüssel liegt unter der Matte.", "Matte"),
    "fr": ("Où est la clé ?", "La clé est dans la cave.", "cave"),
    "es": ("¿Dónde está la llave?", "La llave está en el cajón.", "cajón"),
    "it": ("Dov'è la chiave?", "La chiave è nel cassetto.", "cassetto"),
    "pt": ("Onde está a chave?", "A chave está na gaveta.", "gaveta"),
    "nl": ("Waar is de sleutel?", "De sleutel ligt onder de mat.", "mat"),
    "pl": ("Gdzie jest klucz?", "Klucz leży pod matą.", "matą"),
    "sv": ("Var är nyckeln?", "Nyckeln ligger under mattan.", "mattan"),
}


def test_every_language_is_tested() -> None:
    lists = set(table("questions", "any"))
    assert {f"when_{language}" for language in TIMES} <= lists
    assert {f"where_{language}" for language in PLACES} <= lists
    assert len(lists) == 5 * len(PLACES) + 3, "Danish has no word that asks for a place alone"


@pytest.mark.parametrize(("question", "sentence", "time", "other"), TIMES.values(), ids=TIMES)
def test_a_time_has_a_figure_or_a_time_word(
    question: str, sentence: str, time: str, other: str
) -> None:
    assert not is_no_time_or_place(question, time, sentence.format(time))
    assert not is_no_time_or_place(question, "12.30", sentence.format("12.30"))
    assert is_no_time_or_place(question, other, other)


@pytest.mark.parametrize(("question", "sentence", "place"), PLACES.values(), ids=PLACES)
def test_a_place_is_a_name_or_follows_a_preposition(
    question: str, sentence: str, place: str
) -> None:
    assert not is_no_time_or_place(question, place, sentence)
    assert not is_no_time_or_place(question, "Lyon", "xyz Lyon")
    assert is_no_time_or_place(question, "xyz", "xyz")


def test_an_activity_is_not_a_place() -> None:
    sentence = "Odile élève des chèvres et vend du fromage."
    assert is_no_time_or_place(
        "Où habite Odile ?", "élève des chèvres et vend du fromage", sentence
    )


def test_a_short_time_word_must_be_a_whole_word() -> None:
    assert is_no_time_or_place("Quand vient Odile ?", "Anne", "Anne")
    assert not is_no_time_or_place("Quand vient Odile ?", "un an", "un an")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Dove soap, what does it cost in the shop?", "cheap"),
        ("When does Ida come?", "happy"),
        ("Was kostet das?", "viel"),
        ("?", "x"),
    ],
)
def test_other_questions_are_not_affected(question: str, text: str) -> None:
    assert not is_no_time_or_place(question, text, text)

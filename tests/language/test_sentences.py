"""Sentences end where they end in each language, and nowhere else."""

import pytest

from remem.core.enrich.reading import parse_text
from remem.core.enrich.titles import title_in
from remem.core.language.sentences import ends_sentence, sentences
from remem.core.search.excerpt import excerpt


@pytest.mark.parametrize(
    "text",
    [
        "Termin am 14. Jänner bei Frau Mag. Leitner.|Bitte absagen.",
        "Der Zins gilt bis 5. März.|Danach wird neu verhandelt.",
        "Das ist im 3. Bezirk, top 7.|Und die 2. Mahnung ist bezahlt.",
        "Am 14.|Die Kinder kommen mit.",
        "Er kommt z.B. Montag.|Wir warten.",
        "Die Firma zahlt zzgl. MwSt. und Spesen.|Wir nicht.",
        "Ella vive en la Av. Libertad 5, p.ej. Lunes no.|El martes sí.",
        "El Sr. Pérez y la Sra. García vienen.|Traen pan.",
        "M. Dupont habite av. Foch.|Il part demain.",
        "La sig.ra Rossi abita in v.le Monza.|Telefona spesso.",
        "Mevr. Jansen belt bijv. Maandag.|De rest niet.",
        "Bl.a. Anna kommer kl. 8.|Vi ses.",
        "Купить хлеб и т.д. Молоко есть.",
        "Ул. Ленина, д. 5.|Звонить до 8.",
        "Зустріч на вул. Шевченка, буд. 4.|Візьми ключ.",
        "Volám pí. Novákové, ul. Dlouhá 5.|Pak domů.",
        "Mieszkam na ul. Długiej, m.in. Tomek też.|Zapraszam.",
        "Randevu Dr. Yılmaz ile.|Geç kalma.",
        "Apt. 4 is the blue one.|Ring twice.",
        "I am 14.|Tom is 15.",
        "We have 5.|May I go?",
        "She studied art.|Tom paints.",
        "J. K. Rowling wrote it for Acme Inc. and others.|The end.",
        "It costs 3.5 kg, see https://a.example/c.d?x=1.2 for more.|Fine.",
        "本当！？|はい。|彼は「行く。」と言った。|終わり。",
        "你好！|今天去哪里？|不知道。",
        "यह घर है।|डॉ. शर्मा आएंगे।|ठीक है।",
        "مرحبا.|كيف حالك؟|بخير.",
        "Բարեւ։|Ինչպես ես։",
        "Πού είναι;|Εδώ.",
        "ကျေးဇူး။|ဟုတ်။",
        "สวัสดีครับ วันนี้ไปไหน",
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str) -> None:
    parts = text.split("|")
    joint = "" if parts[0][-1] in "。！？" else " "
    assert sentences(joint.join(parts)) == parts


@pytest.mark.parametrize("text", ["bei Frau Mag.", "wohnt in der Berg-Str.", "z.B.", "т.е."])
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert not ends_sentence(text, len(text))


@pytest.mark.parametrize("text", ["Բարեւ։", "ဟုတ်။", "ठीक है।", "好。"])
def test_a_full_stop_of_another_script_ends_a_sentence(text: str) -> None:
    assert ends_sentence(text, len(text))


def test_a_title_and_a_snippet_are_whole_sentences() -> None:
    first = "Der Termin am 14. Jänner bei Frau Mag. Leitner ist verschoben."
    text = f"{first} Neuer Termin folgt. " + "Sonst gibt es hier nichts Neues. " * 20
    assert title_in(parse_text(text)) == first
    assert excerpt(text, "Wann ist der Termin bei Leitner?", 100).startswith(first)

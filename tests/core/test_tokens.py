"""Text to terms: what is asked for is found, however it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.language.tokens import STOP_WORDS, TERM_LIMIT, query_terms, terms

texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aB1_.-'@ 日本のไทยशिé\u0301ß😀ﬁ"),
    )
)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("The dogs were running", "dog runs"),
        ("A café in Besançon", "cafe besancon"),
        ("a cafe\u0301 in decomposed form", "café"),
        ("CAFÉ", "café"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("ＦＵＬＬ ｗｉｄｔｈ", "full width"),
        ("getUserName", "user name"),
        ("parse_http_request", "http"),
        ("HTTPServer", "server"),
        ("open settings.py first", "settings.py"),
        ("write to ada@example.org", "ada@example.org"),
        ("released v1.2.3 today", "v1.2.3"),
        ("don't", "don't"),
        ("私は日本語を話します", "日本語"),
        ("我喜欢喝茶", "喝茶"),
        ("我喜欢喝茶", "茶"),
        ("カタカナ", "ｶﾀｶﾅ"),
        ("ฉันรักภาษาไทย", "ภาษาไทย"),
        ("मुझे हिन्दी पसंद है", "हिन्दी"),
        ("எனக்கு தமிழ் பிடிக்கும்", "தமிழ்"),
        ("שָׁלוֹם", "שלום"),
        ("السَّلام", "السلام"),
        ("Привет, Мир", "мир"),
        ("한국어 문서", "한국어"),
        ("iPhone17を買った", "iphone17"),
    ],
)
def test_what_is_asked_for_is_in_what_was_written(written: str, asked: str) -> None:
    assert query_terms(asked)
    assert set(query_terms(asked)) <= set(terms(written))


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("我喜欢喝茶", "咖啡"),
        ("हिन्दी", "भाषा"),
        ("tea", "coffee"),
        ("東京", "京都"),
    ],
)
def test_what_was_not_written_is_not_found(written: str, asked: str) -> None:
    assert not set(query_terms(asked)) & set(terms(written))


def test_terms_are_counted() -> None:
    assert terms("Tea, more tea and TEA") == {"tea": 3, "more": 1, "and": 1}


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert set(terms("user_id")) == {"user", "id", "user_id"}


def test_pairs_of_ideographs_are_asked_for_not_each_alone() -> None:
    assert query_terms("日本語") == ["日本", "本語"]


def test_stop_words_are_asked_for_only_when_there_is_nothing_else() -> None:
    assert query_terms("who is the dentist") == ["dentist"]
    assert query_terms("the who") == ["the", "who"]
    assert {"the", "who"} <= STOP_WORDS


@pytest.mark.parametrize("text", ["", " ", "!?", "…", "😀", "--"])
def test_what_has_no_words_has_no_terms(text: str) -> None:
    assert not terms(text)
    assert query_terms(text) == []


@given(texts)
def test_a_text_is_found_by_itself(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))


@given(texts)
def test_terms_are_bounded_and_never_empty(text: str) -> None:
    for term, count in terms(text).items():
        assert 0 < len(term) <= TERM_LIMIT
        assert count > 0


@given(texts, texts)
def test_terms_of_lines_are_the_terms_of_each(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)

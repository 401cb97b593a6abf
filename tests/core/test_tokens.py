"""Terms of a text and of a query: a query finds a text however it is spelled."""

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
    ("text", "query"),
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
def test_the_terms_of_the_query_are_in_the_text(text: str, query: str) -> None:
    assert query_terms(query)
    assert set(query_terms(query)) <= set(terms(text))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我喜欢喝茶", "咖啡"),
        ("हिन्दी", "भाषा"),
        ("tea", "coffee"),
        ("東京", "京都"),
    ],
)
def test_the_terms_of_the_query_are_not_in_the_text(text: str, query: str) -> None:
    assert not set(query_terms(query)) & set(terms(text))


def test_terms_are_counted() -> None:
    assert terms("Tea, more tea and TEA") == {"tea": 3, "more": 1, "and": 1}


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert set(terms("user_id")) == {"user", "id", "user_id"}


def test_a_query_has_pairs_of_ideographs_not_single_ones() -> None:
    assert query_terms("日本語") == ["日本", "本語"]


def test_a_query_has_stop_words_only_if_it_has_no_others() -> None:
    assert query_terms("who is the dentist") == ["dentist"]
    assert query_terms("the who") == ["the", "who"]
    assert {"the", "who"} <= STOP_WORDS


@pytest.mark.parametrize("text", ["", " ", "!?", "…", "😀", "--"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert not terms(text)
    assert query_terms(text) == []


@given(texts)
def test_a_text_has_the_terms_of_itself_as_a_query(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))


@given(texts)
def test_terms_are_limited_and_never_empty(text: str) -> None:
    for term, count in terms(text).items():
        assert 0 < len(term) <= TERM_LIMIT
        assert count > 0


@given(texts, texts)
def test_the_terms_of_lines_are_added_up(first: str, second: str) -> None:
    assert terms(f"{first}\n{second}") == terms(first) + terms(second)

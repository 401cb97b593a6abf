"""The speaker, time and session of a document, from its metadata or its first words."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core.documents.voice import (
    MOMENT_FIELDS,
    SESSION_FIELDS,
    SPEAKER_FIELDS,
    Voice,
    parse_moment,
    voice_of,
)

MAY_DAY = datetime(2023, 5, 8, tzinfo=UTC)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("key", SPEAKER_FIELDS)
def test_metadata_names_the_speaker(key: str) -> None:
    assert voice_of({key: " Ann "}, "").speaker == "Ann"
    assert voice_of({key: "Ann"}, "Bob: hello").speaker == "Ann"


@pytest.mark.parametrize("value", ["", "  ", None, 7, ["Ann"], {"name": "Ann"}])
def test_a_value_that_is_no_name_is_ignored(value: Any) -> None:
    assert voice_of({"speaker": value}, "") == Voice()


@pytest.mark.parametrize(
    ("content", "speaker"),
    [
        ("Ann: I moved to Lisbon.", "Ann"),
        ("Ann Lee: I moved.", "Ann Lee"),
        ("**Ann**: I moved.", "Ann"),
        ("[2023-05-08 10:00] Ann: I moved.", "Ann"),
        ("Anna: the keys are under the mat", ""),
        ("Anna: the keys? Under the mat, as you said.", "Anna"),
        ("Tom: Zeckenimpfung auffrischen", ""),
        ("Tom: Mia abholen", ""),
        ("Paul: rendez-vous chez le dentiste", ""),
        ("Tom: renew the passport by May.", ""),
        ("Xiomara: I moved to Lisbon.", "Xiomara"),
        ("Xiomara: the keys are under the mat", ""),
        ("[2023-05-08 10:00] Xiomara: see you at six", "Xiomara"),
        ("Car: Skoda Octavia, winter tyres at the garage", ""),
        ("Dentist Dr. Aerts: crown done, cost 640 euro", ""),
        ("Dream: I want to learn to play the cello", ""),
        ("Me: I have to call the plumber", ""),
        ("Note: buy milk", ""),
        ("TODO: buy milk", ""),
        ("Subject: the milk", ""),
        ("the plan: buy milk", ""),
        ("One two three four: five", ""),
        ("https://example.org", ""),
        ("10:30: the train", ""),
        ("Ann moved: to Lisbon", ""),
        ("No colon at all", ""),
        ("", ""),
    ],
)
def test_a_single_turn_begins_with_its_speaker(content: str, speaker: str) -> None:
    assert voice_of({}, content).speaker == speaker


def test_a_long_text_is_no_single_turn() -> None:
    assert voice_of({}, "Ann: " + "word " * 2_000) == Voice()


def test_the_time_before_a_single_turn_is_used() -> None:
    assert voice_of({}, "[8 May 2023] Ann: I moved.").said_at == MAY_DAY
    assert voice_of({"date": "2023-05-08"}, "[1 May 2020] Ann: hi").said_at == MAY_DAY


@pytest.mark.parametrize("key", MOMENT_FIELDS)
def test_metadata_has_the_time(key: str) -> None:
    assert voice_of({key: "2023-05-08"}, "").said_at == MAY_DAY


def test_a_value_that_is_no_time_is_skipped() -> None:
    assert voice_of({"timestamp": "soon", "date": "2023-05-08"}, "").said_at == MAY_DAY


@pytest.mark.parametrize(
    "value",
    [
        "2023-05-08",
        "2023-5-8",
        "2023/05/08 (Mon) 02:21",
        "2023-05-08T00:00:00Z",
        "2023-05-08 02:00:00+02:00",
        "1:56 pm on 8 May, 2023",
        "May 8, 2023",
        "8.5.2023",
        "8.5.23",
        MAY_DAY.timestamp(),
        int(MAY_DAY.timestamp() * 1_000),
    ],
)
def test_formats_of_a_time(value: Any) -> None:
    assert parse_moment(value) == MAY_DAY


def test_a_time_keeps_its_time_of_day_and_zone() -> None:
    east = timezone(timedelta(hours=2))
    assert parse_moment("2023-05-08T10:30:00+02:00") == datetime(2023, 5, 8, 10, 30, tzinfo=east)


@pytest.mark.parametrize("value", ["31/12/23, 22:15", "12/31/23, 10:15 PM", "31.12.23 22:15"])
def test_a_year_of_two_digits_in_an_exported_chat(value: str) -> None:
    assert parse_moment(value) == datetime(2023, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        None, True, "", "soon", "10:30", "2023", 2023, 20230508, 0, -5, 5.5, float("nan"),
        float("inf"), 10**400, -(10**400), 10**17, "2023-13-45", "3/4/23", [2023], {"at": 1},
    ],
)  # fmt: skip
def test_a_value_that_is_no_time(value: Any) -> None:
    """A year is no Unix time, and an ambiguous date is no time."""
    assert parse_moment(value) is None


@pytest.mark.parametrize("key", SESSION_FIELDS)
def test_turns_of_one_session_share_a_thread(key: str) -> None:
    thread_id = voice_of({key: "monday"}, "").thread_id
    assert thread_id is not None
    assert thread_id == voice_of({key: "monday"}, "other").thread_id
    assert thread_id != voice_of({key: "tuesday"}, "").thread_id


@pytest.mark.parametrize("value", [None, "", 0, [], ["a"], {"id": 1}, 1.5])
def test_a_value_that_is_no_session_has_no_thread(value: Any) -> None:
    assert voice_of({"session_id": value}, "").thread_id is None


def test_a_session_may_be_a_number() -> None:
    assert voice_of({"session_id": 3}, "").thread_id == voice_of({"session_id": "3"}, "").thread_id


@given(
    st.dictionaries(
        st.sampled_from([*SPEAKER_FIELDS, *MOMENT_FIELDS, *SESSION_FIELDS]), json_values
    ),
    st.text(max_size=100),
)
def test_any_metadata_and_content_is_accepted(metadata: dict[str, Any], content: str) -> None:
    voice = voice_of(metadata, content)
    assert voice.said_at is None or voice.said_at.tzinfo is not None
    assert len(voice.speaker) <= 80

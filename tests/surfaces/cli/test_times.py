"""`--since` and `--until` limit results to the time of saving."""

from datetime import UTC, datetime, timedelta

import pytest

from remem.surfaces.cli.times import due_at, period
from tests.conftest import Person
from tests.surfaces.cli.running import Shell

COMMANDS = [
    ["recall", "when is high tide?"],
    ["documents", "list"],
    ["memories", "list"],
    ["memories", "timeline"],
    ["memories", "search", "tide table"],
]


@pytest.fixture
def saved(person: Person) -> None:
    person.post("/v3/memory", {"content": "High tide is at noon on the fourth."})
    person.post("/api/memories", {"content": "The tide table hangs in the kitchen."})


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_times_in_plain_words_filter(saved: None, shell: Shell, command: list[str]) -> None:
    assert "tide" in shell.piped(*command, "--since", "last week", "--until", "today").out
    for option, time in (("--until", "last week"), ("--until", "2024"), ("--since", "tomorrow")):
        result = shell.piped(*command, option, time)
        assert "tide" not in result.out
        assert result.code == (3 if {"recall", "search"} & {*command} else 0), result.err


def test_a_list_shows_the_time_that_it_filters_by(shell: Shell, person: Person) -> None:
    diary = {"content": "The tide wall was built.", "occurredAt": "2024-02-17T12:00:00Z"}
    person.post("/api/memories", diary)
    february = ("--since", "2024-02", "--until", "2024-02")
    output = shell.terminal("memories", "timeline", *february, COLUMNS="80").out
    assert "happened" in output and "2024-02-17" in output
    assert "The tide wall was built." in output, "ids must leave room for the text"
    assert "saved" in (listed := shell.terminal("memories", "list").out)
    assert "2024-02-17" not in listed
    assert len(shell.piped("memories", "list").out.split("\t")[0]) == 36, "complete for programs"


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_an_invalid_time_is_refused_with_an_example(shell: Shell, option: str) -> None:
    result = shell.piped("recall", "tide", option, "the other day")
    assert result.code == 2
    assert f'{option}: "the other day" is not a time; write, for example, "last week"' in result.err


def test_a_period_that_ends_before_it_begins_is_refused(shell: Shell) -> None:
    result = shell.piped("documents", "list", "--since", "today", "--until", "last month")
    assert (result.code, result.err.strip()) == (
        2,
        "error --since is after --until; swap them, or leave one out.",
    )


def test_a_period_has_whole_days_in_local_time() -> None:
    since, until = period("2024-05-01", "2024-05-01")
    assert since and until
    assert datetime.fromisoformat(since) == datetime(2024, 5, 1).astimezone()
    assert datetime.fromisoformat(until) - datetime.fromisoformat(since) == timedelta(days=1)


def test_daylight_saving_time_depends_on_the_date(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert period("2024-07-01", "2024-12-01") == (
            "2024-06-30T22:00:00+00:00",
            "2024-12-01T23:00:00+00:00",
        )
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_api_filters_lists_by_time(saved: None, person: Person) -> None:
    for start, end, count in (("2024-01-01", None, 1), (None, "2024-01-01", 0)):
        filters = {"created_after": start, "created_before": end}
        listed = person.post("/v1/documents/list", filters).json()
        assert (len(listed["documents"]), listed["total"]) == (count, count)
        params = {name: time for name, time in (("since", start), ("until", end)) if time}
        for more in ({}, {"q": "tide table kitchen"}):
            memories = person.http.get("/api/memories", params={**params, **more}).json()
            assert bool(memories["memories"]) is bool(count)


def test_a_due_day_ends_at_midnight_and_is_in_the_future() -> None:
    day = datetime(2027, 1, 31, 23, 59, 59).astimezone()
    assert due_at("2027-01-31") == day.astimezone(UTC).isoformat()
    assert due_at("2027-01-31T09:00:00Z") == "2027-01-31T09:00:00+00:00"
    assert due_at(None) is None
    now = datetime.now(UTC)
    for words in ("today", "tomorrow", "Friday", "next Friday", "in 3 days", "next week"):
        assert now < datetime.fromisoformat(due_at(words) or "") < now + timedelta(days=15), words


def test_an_invalid_due_day_is_refused(shell: Shell) -> None:
    result = shell.piped("memories", "add", "Call Ann.", "--due", "some day")
    assert result.code == 2
    assert '--due: "some day" is not a time; write, for example, "next Friday"' in result.err

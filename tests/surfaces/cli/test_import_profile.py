"""`remem import profile`: what another assistant remembers, accepted one by one."""

from tests.conftest import Person
from tests.surfaces.cli.running import Shell

ANSWER = "- I am vegetarian.\n- I hate tea.\n- I live in Room.\n- I own a yacht.\n"


def saved(person: Person) -> dict[str, dict[str, object]]:
    listed = person.http.get("/api/memories").json()["memories"]
    return {memory["content"]: memory for memory in listed}


def test_each_statement_is_accepted_changed_or_declined(shell: Shell, person: Person) -> None:
    (shell.home / "answer.txt").write_text(ANSWER)
    words = ("import", "profile", "answer.txt", "--from", "chatgpt")
    shown = shell.terminal(*words, answers="y\nn\ne\nI live in Rome.\nx\nq\n")
    assert shown.code == 0, shown
    assert "2 accepted" in shown.out
    memories = saved(person)
    assert set(memories) == {"I am vegetarian.", "I live in Rome."}
    assert memories["I am vegetarian."]["context"]["imported_from"] == "chatgpt"
    again = shell.terminal(*words, answers="y\nq\n")
    assert "1 known already" in again.out
    assert len(saved(person)) == 2


def test_in_a_pipe_it_prints_the_prompt_and_asks_for_consent(shell: Shell, person: Person) -> None:
    prompt = shell.piped("import", "profile")
    assert prompt.code == 0
    assert "[YYYY-MM-DD]" in prompt.out
    refused = shell.piped("import", "profile", "-", stdin=ANSWER)
    assert (refused.code, saved(person)) == (2, {})
    assert "--accept-all" in refused.err
    accepted = shell.piped("import", "profile", "-", "--accept-all", stdin=ANSWER)
    assert accepted.out.startswith("4 accepted"), accepted
    assert len(saved(person)) == 4

"""`remem check` finds and fixes, `remem eval` measures and compares."""

import json
from pathlib import Path

from tests.conftest import Person
from tests.surfaces.cli.running import Shell

QUESTIONS = '[[question]]\nask = "{0}"\ntext = "{1}"\n\n'
FACTS = {
    "When does the ferry leave?": "The ferry leaves at seven.",
    "What colour is the lighthouse?": "The lighthouse is blue.",
    "Where does Grandma live?": "Grandma lives in Linz.",
    "Who repairs sails?": "Ole repairs sails.",
    "What does the boat berth cost?": "The boat berth costs 450 euro.",
}


def test_findings_are_listed_fixed_and_undone(shell: Shell, person: Person) -> None:
    nothing = shell.piped("check")
    assert (nothing.code, nothing.err.strip()) == (0, "Nothing to do.")
    content = "The password of the radio is hunter2x."
    assert person.post("/api/memories", {"content": content}).status_code == 201
    assert "secrets\t1\tmask" in shell.piped("check").out
    listed = shell.piped("check", "secrets").out
    assert "memory:" in listed and "hunter2x" not in listed
    refused = shell.piped("check", "secrets", "--fix-all")
    assert (refused.code, "--yes" in refused.err) == (2, True), refused
    fixed = json.loads(shell.piped("check", "secrets", "--fix-all", "--yes", "--json").out)
    assert (fixed["done"], fixed["failed"]) == (1, 0)
    assert shell.piped("check", "secrets", "--fix-all").out == "Nothing to do.\n"
    undo = fixed["results"][0]["undo"]
    assert shell.piped("check", "--undo", undo).code == 0
    assert "secrets\t1" in shell.piped("check").out
    wrong = shell.piped("check", "--undo", "nothing:1")
    assert (wrong.code, "none that was given here" in wrong.out) == (5, True), wrong


def test_questions_are_counted_and_compared(shell: Shell, person: Person, tmp_path: Path) -> None:
    ids = [person.save(text, index_only=True)["id"] for text in FACTS.values()]
    file = tmp_path / "questions.toml"
    file.write_text("".join(QUESTIONS.format(*pair) for pair in FACTS.items()))
    missing = shell.piped("eval", str(file), "--compare")
    assert (missing.code, "--save" in missing.err) == (2, True)
    first = shell.piped("eval", str(file), "--save")
    assert (first.code, first.out.strip()) == (0, "now\t5\t100%\t100%\t100%\t1.000"), first
    same = shell.piped("eval", str(file), "--compare")
    assert (same.code, "lost" in same.out) == (0, False), same
    for id in ids:
        person.http.delete(f"/v3/documents/{id}")
    lost = shell.piped("eval", str(file), "--compare")
    assert (lost.code, lost.out.count("lost: ")) == (5, 5), lost
    file.write_text('[[question]]\nask = "x"\ntitel = "y"\n')
    wrong = shell.piped("eval", str(file))
    assert (wrong.code, "line 3, titel" in wrong.err) == (2, True), wrong

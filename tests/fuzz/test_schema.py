"""The published schema is true: a short, repeatable run of what `make fuzz` does at length."""

from tests.fuzz.run import run_schemathesis, sealed_server


def test_every_operation_keeps_to_its_schema() -> None:
    """Every edge of every parameter of every operation, once, with every check."""
    with sealed_server() as (server, record):
        ended = run_schemathesis(server, ["--phases", "coverage", "--seed", "1"])
        dialled = record.read_text().splitlines() if record.exists() else []
    assert ended.returncode == 0, ended.stdout
    assert "Tested: " in ended.stdout
    assert not [line for line in dialled if not line.startswith("fetch ")], dialled
    assert dialled, "a save of a URL gets as far as dialling, where it is recorded"

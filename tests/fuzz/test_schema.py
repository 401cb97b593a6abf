"""The server conforms to its published schema: a short, repeatable version of `make fuzz`."""

from tests.fuzz.run import run_schemathesis, sealed_server


def test_every_operation_conforms_to_its_schema() -> None:
    """Send every boundary value of every parameter of every operation once, with every check."""
    with sealed_server() as (server, record):
        result = run_schemathesis(server, ["--phases", "coverage", "--seed", "1"])
        dialled = record.read_text().splitlines() if record.exists() else []
    assert result.returncode == 0, result.stdout
    assert "Tested: " in result.stdout
    assert not [line for line in dialled if not line.startswith("fetch ")], dialled
    assert dialled, "a save of a URL gets as far as dialling, where it is recorded"

"""How `remem connections add` gets its fields without a terminal."""

import io

import pytest
import typer

from remem.surfaces.cli.connecting import fields_of

TOKEN = {"name": "token", "label": "a token", "required": True, "secret": True}


def set_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_secret_can_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    set_stdin(monkeypatch, "ghp_secret\n")
    assert fields_of({"fields": [TOKEN]}, None) == {"token": "ghp_secret"}


def test_an_optional_field_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    set_stdin(monkeypatch, "")
    assert fields_of({"fields": [{**TOKEN, "required": False}]}, None) == {"token": ""}


def test_a_missing_required_field_is_an_error_with_a_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_stdin(monkeypatch, "")
    with pytest.raises(typer.Exit):
        fields_of({"fields": [TOKEN]}, None)
    assert "pass --field token=…, or token=@FILE" in capsys.readouterr().err

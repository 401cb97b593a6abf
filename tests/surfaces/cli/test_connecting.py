"""What `remem connections add` asks for where nobody can type."""

import io

import pytest
import typer

from remem.surfaces.cli.connecting import fields_of

TOKEN = {"name": "token", "label": "a token", "required": True, "secret": True}


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_secret_can_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "ghp_secret\n")
    assert fields_of({"fields": [TOKEN]}, None) == {"token": "ghp_secret"}


def test_what_is_optional_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "")
    assert fields_of({"fields": [{**TOKEN, "required": False}]}, None) == {"token": ""}


def test_what_is_required_is_named_with_how_to_pass_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "")
    with pytest.raises(typer.Exit):
        fields_of({"fields": [TOKEN]}, None)
    assert "pass --field token=…, or token=@FILE" in capsys.readouterr().err

"""Each API has its own error format, with the status that its callers expect."""

import pytest

from remem.core import errors
from remem.core.errors import RememError
from remem.surfaces.error_shapes import error_reply

LIMITED = errors.RateLimited(limit=100, retry_after_s=7)
INVALID = errors.Invalid("title", "is empty; send one")


def test_rest_errors_have_message_code_and_details() -> None:
    reply = error_reply("rest", INVALID)
    assert reply.status == 400
    assert reply.body["error"] == INVALID.message
    assert reply.body["code"] == "invalid"
    assert reply.body["details"]["field"] == "title"


def test_oauth_uses_the_names_of_its_standard() -> None:
    assert error_reply("oauth", INVALID).body == {
        "error": "invalid_request",
        "error_description": INVALID.message,
    }
    limited = error_reply("oauth", LIMITED)
    assert (limited.status, limited.body["error"]) == (429, "temporarily_unavailable")
    down = error_reply("oauth", errors.Unavailable("Try again later."))
    assert (down.status, down.body["error"]) == (503, "temporarily_unavailable")


def test_mcp_answers_a_json_rpc_error() -> None:
    reply = error_reply("mcp", LIMITED)
    assert reply.status == 429
    assert reply.body == {"code": -32_000, "message": LIMITED.message}


@pytest.mark.parametrize("dialect", ["rest", "oauth", "mcp"])
def test_every_api_sends_retry_after(dialect: str) -> None:
    assert error_reply(dialect, LIMITED).headers["Retry-After"] == "7"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.Unauthenticated("Sign in."), 401),
        (errors.Forbidden("Not yours."), 403),
        (errors.NotFound("There is none."), 404),
        (errors.Conflict("It is there."), 409),
        (errors.Unavailable("Later."), 503),
    ],
)
def test_rest_has_a_status_for_each_error_class(error: RememError, status: int) -> None:
    assert error_reply("rest", error).status == status


def test_a_subclass_has_the_status_of_its_base_class() -> None:
    class Gone(errors.NotFound):
        pass

    assert error_reply("rest", Gone("It was deleted.")).status == 404

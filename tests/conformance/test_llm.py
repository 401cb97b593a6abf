"""The contract of language model adapters: the requested type, or a clear error."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from remem.adapters.llm.anthropic import AnthropicLlm
from remem.adapters.llm.openai import OpenAILlm
from remem.adapters.llm.remote import RemoteLlm
from remem.core.errors import CannotStart, Unavailable
from tests.tools.llm import MESSAGES_PATH, PATH, completion, message, model
from tests.tools.site import Page, RecordedRequest, Site, drip, hang_up, page

pytestmark = pytest.mark.anyio
KEY = "key-that-must-stay-secret"


@dataclass(frozen=True)
class Colour:
    name: Literal["red", "blue"]
    share: float


@dataclass(frozen=True)
class Palette:
    colours: list[Colour]


ANSWER = {"colours": [{"name": "red", "share": 0.5}]}


@asynccontextmanager
async def open_llm(site: Site, **options: Any) -> AsyncIterator[RemoteLlm]:
    llm = OpenAILlm(f"{site.url}/v1", KEY, "tiny", **{"waits_s": (0.0,), **options})
    yield llm
    await llm.close()


async def ask(*pages: Page, **options: Any) -> tuple[Palette, Site]:
    with model(*pages) as site:
        async with open_llm(site, **options) as llm:
            return await llm.ask("Which colours?", Palette), site


def headers_of(request: RecordedRequest) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


async def test_the_answer_has_the_requested_type() -> None:
    palette, site = await ask(completion(ANSWER))
    assert palette == Palette([Colour("red", 0.5)])
    [request] = site.requests
    body = json.loads(request.body)
    assert (request.path, body["model"]) == (PATH, "tiny")
    assert headers_of(request)["authorization"] == f"Bearer {KEY}"
    assert body["messages"] == [{"role": "user", "content": "Which colours?"}]
    response_schema = body["response_format"]["json_schema"]
    assert (body["response_format"]["type"], response_schema["strict"]) == ("json_schema", True)
    colour = response_schema["schema"]["$defs"]["Colour"]
    assert colour["additionalProperties"] is False
    assert colour["required"] == ["name", "share"]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (completion({"colours": [{"name": "green", "share": 1}]}), "llm_misread"),
        (completion({"colour": "red"}), "llm_misread"),
        (completion("red, I think"), "llm_misread"),
        (completion(""), "llm_misread"),
        (completion(None), "llm_misread"),
        (completion(None, refusal="I would rather not."), "llm_declined"),
        (completion(ANSWER, finish_reason="length"), "llm_misread"),
        (page(b"not json"), "llm_misread"),
        (page(b"{}"), "llm_misread"),
        (page(b'{"choices": []}'), "llm_misread"),
        (page(b"", 401), "llm_key_refused"),
        (page(b"", 404), "llm_refused"),
        (page(b"", 500), "unavailable"),
        (page(b"", 429, Retry_After="0"), "unavailable"),
        (hang_up, "unavailable"),
    ],
)
async def test_other_replies_are_errors(reply: Page, code: str) -> None:
    with pytest.raises(Unavailable) as raised:
        await ask(reply)
    assert raised.value.code == code
    assert KEY not in str(raised.value) and "colour" not in str(raised.value)


# The same with the API of Anthropic


async def ask_anthropic(*pages: Page, **options: Any) -> tuple[Palette, Site]:
    with model(*pages) as site:
        llm = AnthropicLlm(site.url, KEY, "tiny", **{"waits_s": (0.0,), **options})
        try:
            return await llm.ask("Which colours?", Palette), site
        finally:
            await llm.close()


async def test_the_answer_of_anthropic_has_the_requested_type() -> None:
    palette, site = await ask_anthropic(page(b"", 529), message(ANSWER))
    assert palette == Palette([Colour("red", 0.5)])
    assert len(site.requests) == 2
    body = json.loads(site.requests[1].body)
    assert (site.requests[1].path.partition("?")[0], body["model"]) == (MESSAGES_PATH, "tiny")
    headers = headers_of(site.requests[1])
    assert f"Bearer {KEY}" in (headers.get("authorization"), f"Bearer {headers.get('x-api-key')}")
    assert headers["anthropic-version"]
    [tool] = body["tools"]
    assert tool["name"] == "Palette" and "colours" in tool["input_schema"]["properties"]
    assert "Which colours?" in json.dumps(body["messages"])


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (message({"colours": [{"name": "green", "share": 1}]}), "llm_misread"),
        (message("red, I think", stop="end_turn"), "llm_misread"),
        (message(None, stop="end_turn"), "llm_misread"),
        (message(None, stop="refusal"), "llm_declined"),
        (message(ANSWER, stop="max_tokens"), "llm_misread"),
        (page(b"not json"), "unavailable"),
        (page(b"", 401), "llm_key_refused"),
        (page(b"", 404), "llm_refused"),
        (page(b"", 500), "unavailable"),
        (page(b"", 429, Retry_After="0"), "unavailable"),
        (hang_up, "unavailable"),
    ],
)
async def test_other_replies_of_anthropic_are_errors(reply: Page, code: str) -> None:
    with pytest.raises(Unavailable) as raised:
        await ask_anthropic(reply)
    assert raised.value.code == code
    assert KEY not in str(raised.value) and "colour" not in str(raised.value)


async def test_a_temporary_failure_is_retried() -> None:
    palette, site = await ask(page(b"", 503), completion(ANSWER))
    assert palette.colours and len(site.requests) == 2


async def test_a_slow_reply_times_out() -> None:
    with model() as site:
        site.pages[PATH] = drip(site, b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        async with open_llm(site, timeout_s=0.3, waits_s=()) as llm:
            with pytest.raises(Unavailable):
                await llm.ask("Which colours?", Palette)


def test_an_invalid_url_is_refused() -> None:
    with pytest.raises(CannotStart):
        OpenAILlm("not a url", None, "tiny")
    with pytest.raises(CannotStart):
        AnthropicLlm("not a url", None, "tiny")


def test_libraries_are_imported_at_the_first_question() -> None:
    code = (
        "import sys; from remem.bootstrap import open_ports;"
        "from remem.adapters.llm.openai import OpenAILlm as L; L('http://127.0.0.1:1', None, 'm');"
        "print([one for one in ('pydantic_ai', 'openai', 'anthropic') if one in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"

"""Asks any server that speaks OpenAI's chat protocol, for an answer in a given shape."""

import asyncio
from collections.abc import Sequence
from typing import Any, TypeVar

import httpx2
from pydantic import TypeAdapter, ValidationError

from remem.adapters.openai_api import WAITS_S, Passing, Server, bearer
from remem.core.errors import Unavailable

TIMEOUT_S = 60.0
Answer = TypeVar("Answer")


class OpenAILlm:
    """POST {base_url}/chat/completions with a JSON schema, tried again after 0, 1 and 2 s."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        *,
        timeout_s: float = TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        self._server = Server("llm", model)
        self._url = self._server.endpoint(base_url, "/chat/completions")
        self._timeout_s, self._waits_s = timeout_s, waits_s
        self._client = httpx2.AsyncClient(headers=bearer(api_key), timeout=timeout_s)

    @property
    def model(self) -> str:
        return self._server.model

    async def ask(self, prompt: str, shape: type[Answer]) -> Answer:
        adapter = TypeAdapter(shape)
        answer = await self._ask_patiently(self._body(prompt, shape.__name__, adapter))
        try:
            return adapter.validate_json(self._content(answer))
        except ValidationError:
            # What pydantic says quotes the answer, and that quotes what was asked.
            raise self._server.misread("an answer of another shape") from None

    async def close(self) -> None:
        await self._client.aclose()

    def _body(self, prompt: str, name: str, adapter: TypeAdapter[Any]) -> dict[str, Any]:
        schema = {"name": name, "strict": True, "schema": _closed(adapter.json_schema())}
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "response_format": {"type": "json_schema", "json_schema": schema},
        }

    async def _ask_patiently(self, body: dict[str, Any]) -> Any:
        for wait_s in self._waits_s:
            try:
                return await self._post(body)
            except Passing as error:
                await asyncio.sleep(max(wait_s, min(error.retry_after_s or 0, self._waits_s[-1])))
        try:
            return await self._post(body)
        except Passing as error:
            raise self._server.down(error) from error

    async def _post(self, body: dict[str, Any]) -> Any:
        try:
            # httpx2 bounds each read; this bounds a server that answers a byte at a time.
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(self._url, json=body)
        except (httpx2.TimeoutException, TimeoutError):
            raise Passing(f"no answer in {self._timeout_s:g} s") from None
        except httpx2.RequestError as error:
            raise Passing(type(error).__name__) from None
        self._server.refuse_failure(response)
        try:
            return response.json()
        except ValueError as error:
            raise self._server.misread("something that is not JSON") from error

    def _content(self, answer: Any) -> str:
        try:
            choice = answer["choices"][0]
            message = choice["message"]
        except (LookupError, TypeError) as error:
            raise self._server.misread("no answer") from error
        if message.get("refusal"):
            raise Unavailable("The llm server declined to answer.", code="llm_declined")
        content = message.get("content")
        if not isinstance(content, str) or not content.strip():
            raise self._server.misread("an empty answer")
        if choice.get("finish_reason") == "length":
            raise self._server.misread("an answer that is cut off")
        return content


def _closed(schema: Any) -> Any:
    """Every object says that it has these fields and no others, as the protocol's strict mode
    asks."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if schema.get("type") == "object":
        closed["additionalProperties"] = False
        closed["required"] = list(schema.get("properties", {}))
    return closed

"""Ask a language model of any vendor for an answer that matches a schema.

pydantic-ai takes seconds to load, so it is loaded by the first question.
"""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from pydantic import TypeAdapter, ValidationError

from remem.adapters.circuit import Circuit
from remem.adapters.openai_api import Server
from remem.adapters.retries import WAITS_S, TransientError, attempts
from remem.core.errors import Unavailable
from remem.core.providers import ProviderState, TokenBudget, TokenUse, Unlimited
from remem.core.telemetry import record

TIMEOUT_S = 60.0
# The default limit of an answer; reasoning models need additional tokens.
ANSWER_TOKENS = 2_000
THINKING_TOKENS = 8_000
Answer = TypeVar("Answer")


class Vendor(ABC):
    """The client of one vendor's models. `open` loads the libraries it needs."""

    # The path below the base URL.
    path: ClassVar[str]

    def __init__(self, base_url: str, api_key: str | None, name: str) -> None:
        # The clients require a key even if the server does not.
        self._base_url, self._api_key = base_url.rstrip("/"), (api_key or "").strip() or "none"
        self._name = name
        self._client: Any = None
        # A model of pydantic-ai, set by `open`.
        self.model: Any = None
        # A reasoning model does not accept a temperature.
        self.is_reasoning = False

    @abstractmethod
    def open(self, timeout_s: float) -> None: ...

    @abstractmethod
    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        """The ModelRequestParameters that ask for an answer of this schema."""

    def settings(self, answer_tokens: int) -> Any:
        """Settings for repeatable answers of limited length."""
        from pydantic_ai.settings import ModelSettings

        if self.is_reasoning:
            return ModelSettings(max_tokens=answer_tokens + THINKING_TOKENS)
        return ModelSettings(max_tokens=answer_tokens, temperature=0)

    async def close(self) -> None:
        await self._client.close()


class RemoteLlm:
    """Sends one request for each question, retried after each of the waits. `shape` is the type of
    the answer; its attribute `answer_tokens`, if any, limits the length."""

    vendor: ClassVar[type[Vendor]]

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        *,
        budget: TokenBudget | None = None,
        timeout_s: float = TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        self._server = Server("llm", model)
        self._budget = budget or Unlimited()
        self._server.endpoint(base_url, self.vendor.path)
        self._vendor = self.vendor(base_url, api_key, model)
        self._timeout_s, self._waits_s = timeout_s, waits_s
        self._open_lock = asyncio.Lock()
        self._is_open = False
        self.circuit = Circuit("llm")

    @property
    def model(self) -> str:
        return self._server.model

    def state(self) -> ProviderState:
        used = self._budget.used
        if used is not None and used >= 1:
            return ProviderState("budget_spent", budget_used=used)
        return replace(self.circuit.state(), budget_used=used)

    async def ask(self, prompt: str, shape: type[Answer]) -> Answer:
        await self._budget.check()
        await self._open()
        adapter = TypeAdapter(shape)
        schema = _close_objects(adapter.json_schema())
        settings = self._vendor.settings(getattr(shape, "answer_tokens", ANSWER_TOKENS))
        parameters = self._vendor.parameters(shape.__name__, schema)
        reply = await self._request_with_retries(prompt, parameters, settings)
        await self._budget.spend(_token_use(reply, self.model))
        try:
            return adapter.validate_json(self._read_answer(reply))
        except ValidationError:
            # pydantic's message quotes the answer, which may quote the prompt.
            raise self._server.misread_error("an answer of another shape") from None

    async def close(self) -> None:
        if self._is_open:
            await self._vendor.close()

    async def _open(self) -> None:
        async with self._open_lock:
            if not self._is_open:
                await asyncio.to_thread(self._vendor.open, self._timeout_s)
                self._is_open = True

    async def _request_with_retries(self, prompt: str, parameters: Any, settings: Any) -> Any:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt, self.circuit.request():
                    return await self._request(prompt, parameters, settings)
        except TransientError as error:
            raise self._server.unavailable_error(error) from error
        raise AssertionError("unreachable")

    async def _request(self, prompt: str, parameters: Any, settings: Any) -> Any:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import (
            AgentRunError,
            ContentFilterError,
            ModelAPIError,
            ModelConnectionError,
            ModelHTTPError,
        )
        from pydantic_ai.messages import ModelRequest

        question = ModelRequest.user_text_prompt(prompt)
        try:
            # Clients limit each read; this also limits a server that sends one byte at a time.
            async with asyncio.timeout(self._timeout_s):
                return await model_request(
                    self._vendor.model,
                    [question],
                    model_settings=settings,
                    model_request_parameters=parameters,
                )
        except TimeoutError:
            raise TransientError(f"no answer in {self._timeout_s:g} s", timed_out=True) from None
        except ModelHTTPError as error:
            self._server.raise_for_status(
                error.status_code, (error.headers or {}).get("retry-after", "")
            )
            raise self._server.misread_error("an invalid answer") from None
        except ModelConnectionError as error:
            raise TransientError(type(error).__name__) from None
        except ContentFilterError:
            raise _declined_error() from None
        except ModelAPIError as error:
            raise TransientError(type(error).__name__) from None
        except (AgentRunError, ValueError, TypeError, AttributeError, LookupError):
            raise self._server.misread_error("something that is not an answer") from None

    def _read_answer(self, reply: Any) -> str:
        """The answer as JSON: the arguments of a tool call, or the text."""
        if reply.finish_reason == "content_filter" or (reply.provider_details or {}).get("refusal"):
            raise _declined_error()
        if reply.finish_reason == "length":
            raise self._server.misread_error("an answer that is cut off")
        tool_calls = [
            part.args_as_json_str() for part in reply.parts if part.part_kind == "tool-call"
        ]
        texts = [part.content for part in reply.parts if part.part_kind == "text"]
        answer = "".join(tool_calls[:1] or texts)
        if not answer.strip():
            raise self._server.misread_error("an empty answer")
        return answer


def _token_use(reply: Any, model: str) -> TokenUse:
    """The usage that the server reports, with the list price of the model where one is known."""
    from genai_prices import calc_price

    cost_usd = 0.0
    # Self-hosted models and models of unknown vendors have no list price.
    with contextlib.suppress(LookupError, ValueError, AssertionError):
        cost_usd = float(calc_price(reply.usage, model_ref=model).total_price)
    usage = reply.usage
    record("provider_tokens", usage.input_tokens, provider="llm", direction="input")
    record("provider_tokens", usage.output_tokens, provider="llm", direction="output")
    record("provider_cost_usd", cost_usd, provider="llm")
    return TokenUse("llm", model, usage.input_tokens, usage.output_tokens, cost_usd)


def _declined_error() -> Unavailable:
    return Unavailable("The llm server declined to answer.", code="llm_declined")


def _close_objects(schema: Any) -> Any:
    """Mark all fields as required and forbid others, as strict modes demand."""
    if isinstance(schema, list):
        return [_close_objects(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _close_objects(value) for key, value in schema.items()}
    if schema.get("type") == "object":
        closed["additionalProperties"] = False
        closed["required"] = list(schema.get("properties", {}))
    return closed

"""Asks a language model for an answer in a given shape, whichever vendor's it is.

pydantic-ai takes seconds to load, so it is loaded with the first question and not before.
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
from remem.adapters.retries import WAITS_S, Passing, attempts
from remem.core.errors import Unavailable
from remem.core.providers import ProviderState, TokenBudget, TokenUse, Unlimited
from remem.core.telemetry import record

TIMEOUT_S = 60.0
# The longest answer, where its shape does not say; models that think first need room for that.
ANSWER_TOKENS = 2_000
THINKING_TOKENS = 8_000
Answer = TypeVar("Answer")


class Vendor(ABC):
    """What one vendor's models are asked with. Made at once; `open` loads what it takes."""

    # What is asked for below the base address.
    path: ClassVar[str]

    def __init__(self, base_url: str, api_key: str | None, name: str) -> None:
        # Their clients want a key where the server wants none.
        self._base_url, self._api_key = base_url.rstrip("/"), (api_key or "").strip() or "none"
        self._name = name
        self._client: Any = None
        # A model of pydantic-ai's, once it is open.
        self.model: Any = None
        # Whether it thinks before it answers; then it takes no temperature.
        self.reasons = False

    @abstractmethod
    def open(self, timeout_s: float) -> None: ...

    @abstractmethod
    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        """The request for an answer of this shape, as ModelRequestParameters."""

    def settings(self, answer_tokens: int) -> Any:
        """The same question gets the same answer, and none is endless."""
        from pydantic_ai.settings import ModelSettings

        if self.reasons:
            return ModelSettings(max_tokens=answer_tokens + THINKING_TOKENS)
        return ModelSettings(max_tokens=answer_tokens, temperature=0)

    async def close(self) -> None:
        await self._client.close()


class AskedLlm:
    """One request a question, with the shape as its schema, tried again after each of the waits.
    A shape may say in `answer_tokens` how long its answer is at the most."""

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
        self._opening = asyncio.Lock()
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
        schema = _closed(adapter.json_schema())
        settings = self._vendor.settings(getattr(shape, "answer_tokens", ANSWER_TOKENS))
        parameters = self._vendor.parameters(shape.__name__, schema)
        reply = await self._ask_patiently(prompt, parameters, settings)
        await self._budget.spend(_use(reply, self.model))
        try:
            return adapter.validate_json(self._said(reply))
        except ValidationError:
            # What pydantic says quotes the answer, and that quotes what was asked.
            raise self._server.misread("an answer of another shape") from None

    async def close(self) -> None:
        if self._is_open:
            await self._vendor.close()

    async def _open(self) -> None:
        async with self._opening:
            if not self._is_open:
                await asyncio.to_thread(self._vendor.open, self._timeout_s)
                self._is_open = True

    async def _ask_patiently(self, prompt: str, parameters: Any, settings: Any) -> Any:
        try:
            async for attempt in attempts(self._waits_s):
                with attempt, self.circuit.request():
                    return await self._request(prompt, parameters, settings)
        except Passing as error:
            raise self._server.down(error) from error
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
            # Clients bound each read; this bounds a server that answers a byte at a time.
            async with asyncio.timeout(self._timeout_s):
                return await model_request(
                    self._vendor.model,
                    [question],
                    model_settings=settings,
                    model_request_parameters=parameters,
                )
        except TimeoutError:
            raise Passing(f"no answer in {self._timeout_s:g} s", timed_out=True) from None
        except ModelHTTPError as error:
            self._server.refuse(error.status_code, (error.headers or {}).get("retry-after", ""))
            raise self._server.misread("an answer that is none") from None
        except ModelConnectionError as error:
            raise Passing(type(error).__name__) from None
        except ContentFilterError:
            raise _declined() from None
        except ModelAPIError as error:
            raise Passing(type(error).__name__) from None
        except (AgentRunError, ValueError, TypeError, AttributeError, LookupError):
            raise self._server.misread("something that is no answer") from None

    def _said(self, reply: Any) -> str:
        """The answer as JSON: what the model wrote, or handed over as a tool is called."""
        if reply.finish_reason == "content_filter" or (reply.provider_details or {}).get("refusal"):
            raise _declined()
        if reply.finish_reason == "length":
            raise self._server.misread("an answer that is cut off")
        handed = [part.args_as_json_str() for part in reply.parts if part.part_kind == "tool-call"]
        written = [part.content for part in reply.parts if part.part_kind == "text"]
        said = "".join(handed[:1] or written)
        if not said.strip():
            raise self._server.misread("an empty answer")
        return said


def _use(reply: Any, model: str) -> TokenUse:
    """What the server says; the price is of the list that pydantic-ai comes with, where it has
    one for the model."""
    from genai_prices import calc_price

    cost_usd = 0.0
    # A model at another address than its vendor's, or of no vendor, may have no list price.
    with contextlib.suppress(LookupError, ValueError, AssertionError):
        cost_usd = float(calc_price(reply.usage, model_ref=model).total_price)
    usage = reply.usage
    record("provider_tokens", usage.input_tokens, provider="llm", direction="input")
    record("provider_tokens", usage.output_tokens, provider="llm", direction="output")
    record("provider_cost_usd", cost_usd, provider="llm")
    return TokenUse("llm", model, usage.input_tokens, usage.output_tokens, cost_usd)


def _declined() -> Unavailable:
    return Unavailable("The llm server declined to answer.", code="llm_declined")


def _closed(schema: Any) -> Any:
    """Every object says that it has these fields and no others, as strict modes ask."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if schema.get("type") == "object":
        closed["additionalProperties"] = False
        closed["required"] = list(schema.get("properties", {}))
    return closed

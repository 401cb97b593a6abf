"""Anthropic's models, or any server that speaks its protocol of messages."""

from collections.abc import Sequence
from typing import Any

from remem.adapters.llm.asking import TIMEOUT_S, AskedLlm
from remem.adapters.openai_api import WAITS_S, Server


class AnthropicLlm(AskedLlm):
    """POST {base_url}/v1/messages, the shape as a tool that every model knows how to call."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        *,
        timeout_s: float = TIMEOUT_S,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        server = Server("llm", model)
        server.endpoint(base_url, "/v1/messages")
        super().__init__(
            server, _Messages(base_url, api_key, model), timeout_s=timeout_s, waits_s=waits_s
        )


class _Messages:
    def __init__(self, base_url: str, api_key: str | None, model: str) -> None:
        self._base_url, self._api_key, self._name = base_url, api_key, model
        self.model: Any = None

    def open(self, timeout_s: float) -> None:
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        self._client = AsyncAnthropic(
            base_url=self._base_url.rstrip("/"),
            api_key=(self._api_key or "").strip() or "none",
            timeout=timeout_s,
            max_retries=0,
        )
        provider = AnthropicProvider(anthropic_client=self._client)
        self.model = AnthropicModel(self._name, provider=provider)

    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        shape = ToolDefinition(
            name=name, parameters_json_schema=schema, description="The answer.", kind="output"
        )
        return ModelRequestParameters(
            output_mode="tool", output_tools=[shape], allow_text_output=False
        )

    async def close(self) -> None:
        await self._client.close()

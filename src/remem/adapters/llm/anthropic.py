"""Anthropic's models, or any server that speaks its protocol of messages."""

from typing import Any

from remem.adapters.llm.asking import AskedLlm, Vendor


class _Messages(Vendor):
    path = "/v1/messages"

    def open(self, timeout_s: float) -> None:
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        self._client = AsyncAnthropic(
            base_url=self._base_url,
            api_key=self._api_key,
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


class AnthropicLlm(AskedLlm):
    """POST {base_url}/v1/messages, the shape as a tool that every model knows how to call."""

    vendor = _Messages

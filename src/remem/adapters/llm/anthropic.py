"""Anthropic's models, or any server that speaks its Messages API."""

from typing import Any

from remem.adapters.llm.remote import RemoteLlm, Vendor


class _MessagesVendor(Vendor):
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

        tool = ToolDefinition(
            name=name, parameters_json_schema=schema, description="The answer.", kind="output"
        )
        return ModelRequestParameters(
            output_mode="tool", output_tools=[tool], allow_text_output=False
        )


class AnthropicLlm(RemoteLlm):
    """POST {base_url}/v1/messages, with the schema as a tool, which every model can call."""

    vendor = _MessagesVendor

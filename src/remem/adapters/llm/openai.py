"""Any server that speaks OpenAI's chat protocol with JSON schemas."""

from typing import Any

from remem.adapters.llm.remote import RemoteLlm, Vendor

OPENAI_HOST = "//api.openai.com/"


class _ChatVendor(Vendor):
    path = "/chat/completions"

    def open(self, timeout_s: float) -> None:
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile, openai_model_profile
        from pydantic_ai.providers.openai import OpenAIProvider

        self._client = AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key,
            timeout=timeout_s,
            max_retries=0,
        )
        # Send the schema unchanged, whatever the model is called. Servers other than OpenAI's know
        # only the older name of the token limit.
        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            openai_chat_supports_max_completion_tokens=OPENAI_HOST in self._base_url,
        )
        known_profile = openai_model_profile(self._name.rpartition("/")[2])
        self.is_reasoning = bool(known_profile and known_profile.get("thinking_enabled_by_default"))
        provider = OpenAIProvider(openai_client=self._client)
        self.model = OpenAIChatModel(self._name, provider=provider, profile=profile)

    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        output = OutputObjectDefinition(json_schema=schema, name=name, strict=True)
        return ModelRequestParameters(
            output_mode="native", output_object=output, allow_text_output=True
        )


class OpenAILlm(RemoteLlm):
    """POST {base_url}/chat/completions, with the schema as `response_format`."""

    vendor = _ChatVendor

"""Any server that speaks OpenAI's chat protocol with JSON schemas."""

from typing import Any

from remem.adapters.llm.asking import AskedLlm, Vendor

OPENAI = "//api.openai.com/"


class _Chat(Vendor):
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
        # A model of any name is sent the schema as it is. Other servers than OpenAI's know the
        # older name of the limit.
        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            openai_chat_supports_max_completion_tokens=OPENAI in self._base_url,
        )
        known = openai_model_profile(self._name.rpartition("/")[2])
        self.reasons = bool(known and known.get("thinking_enabled_by_default"))
        provider = OpenAIProvider(openai_client=self._client)
        self.model = OpenAIChatModel(self._name, provider=provider, profile=profile)

    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        shape = OutputObjectDefinition(json_schema=schema, name=name, strict=True)
        return ModelRequestParameters(
            output_mode="native", output_object=shape, allow_text_output=True
        )


class OpenAILlm(AskedLlm):
    """POST {base_url}/chat/completions, the shape as `response_format`."""

    vendor = _Chat

"""Any server that speaks OpenAI's chat protocol with JSON schemas."""

from collections.abc import Sequence
from typing import Any

from remem.adapters.llm.asking import TIMEOUT_S, AskedLlm
from remem.adapters.openai_api import WAITS_S, Server

# The client wants a key where the server wants none.
_NO_KEY = "none"


class OpenAILlm(AskedLlm):
    """POST {base_url}/chat/completions, the shape as `response_format`."""

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
        server.endpoint(base_url, "/chat/completions")
        super().__init__(
            server, _Chat(base_url, api_key, model), timeout_s=timeout_s, waits_s=waits_s
        )


class _Chat:
    def __init__(self, base_url: str, api_key: str | None, model: str) -> None:
        self._base_url, self._api_key, self._name = base_url, api_key, model
        self.model: Any = None

    def open(self, timeout_s: float) -> None:
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        self._client = AsyncOpenAI(
            base_url=self._base_url.rstrip("/"),
            api_key=(self._api_key or "").strip() or _NO_KEY,
            timeout=timeout_s,
            max_retries=0,
        )
        # A model of any name is sent the schema as it is.
        profile = OpenAIModelProfile(supports_json_schema_output=True)
        provider = OpenAIProvider(openai_client=self._client)
        self.model = OpenAIChatModel(self._name, provider=provider, profile=profile)

    def parameters(self, name: str, schema: dict[str, Any]) -> Any:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        shape = OutputObjectDefinition(json_schema=schema, name=name, strict=True)
        return ModelRequestParameters(
            output_mode="native", output_object=shape, allow_text_output=True
        )

    async def close(self) -> None:
        await self._client.close()

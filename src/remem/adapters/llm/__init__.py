"""Language models."""

from collections.abc import Mapping

from remem.adapters.table import Adapter

_REMOTE = {"base_url": "llm_url", "api_key": "llm_key", "model": "llm_model"}
_CHAT = "remem.adapters.llm.openai:OpenAILlm"


def _model(target: str, about: str, defaults: Mapping[str, str], key: str | None = None) -> Adapter:
    required = () if "llm_model" in defaults else ("llm_model",)
    return Adapter(
        target,
        about,
        _REMOTE,
        required=required,
        defaults=defaults,
        key_variable=key,
        shares=("budget",),
    )


ADAPTERS = {
    "openai": _model(
        _CHAT,
        "a language model with OpenAI's chat protocol",
        {"llm_url": "https://api.openai.com/v1", "llm_model": "gpt-4o-mini"},
        "OPENAI_API_KEY",
    ),
    "anthropic": _model(
        "remem.adapters.llm.anthropic:AnthropicLlm",
        "a language model of Anthropic",
        {"llm_url": "https://api.anthropic.com", "llm_model": "claude-3-haiku-20240307"},
        "ANTHROPIC_API_KEY",
    ),
    "gemini": _model(
        _CHAT,
        "a language model of Google, by its endpoint for OpenAI's chat protocol",
        {
            "llm_url": "https://generativelanguage.googleapis.com/v1beta/openai",
            "llm_model": "gemini-2.5-flash",
        },
        "GEMINI_API_KEY",
    ),
    "ollama": _model(_CHAT, "a language model of Ollama", {"llm_url": "http://127.0.0.1:11434/v1"}),
}

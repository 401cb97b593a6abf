"""Language models."""

from remem.adapters.table import Adapter

_REMOTE = {"base_url": "llm_url", "api_key": "llm_key", "model": "llm_model"}

ADAPTERS = {
    "openai": Adapter(
        "remem.adapters.llm.openai:OpenAILlm",
        "a language model behind OpenAI's chat protocol",
        _REMOTE,
        required=("llm_model",),
        defaults={"llm_url": "https://api.openai.com/v1"},
        key_variable="OPENAI_API_KEY",
    ),
    "anthropic": Adapter(
        "remem.adapters.llm.anthropic:AnthropicLlm",
        "a language model of Anthropic",
        _REMOTE,
        required=("llm_model",),
        defaults={"llm_url": "https://api.anthropic.com"},
        key_variable="ANTHROPIC_API_KEY",
    ),
    "ollama": Adapter(
        "remem.adapters.llm.openai:OpenAILlm",
        "a language model of Ollama",
        _REMOTE,
        required=("llm_model",),
        defaults={"llm_url": "http://127.0.0.1:11434/v1"},
    ),
}

"""Speech to text."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "local": Adapter(
        "remem.adapters.asr.local:LocalAsr",
        "the model that comes with remem, or a folder of another one",
        {"folder": "asr_model"},
        checks={"asr_model": "remem.adapters.asr.folder:check_folder"},
        reads="English",
    ),
    "openai": Adapter(
        "remem.adapters.asr.openai:OpenAiAsr",
        "a speech model with OpenAI's protocol",
        {"base_url": "asr_url", "api_key": "asr_key", "model": "asr_model"},
        required=("asr_model",),
        defaults={"asr_url": "https://api.openai.com/v1"},
        key_variable="OPENAI_API_KEY",
        reads="the languages of that model",
    ),
}

"""The settings of the models: the provider of each, and what it may cost."""

from typing import Annotated

from pydantic import Field, SecretStr

from remem.adapters import asr, embedding, llm, ocr
from remem.store_settings import StoreSettings, listed_in

OcrName = Annotated[str, listed_in(ocr.ADAPTERS)]
AsrName = Annotated[str, listed_in(asr.ADAPTERS)]
EmbedderName = Annotated[str, listed_in(embedding.ADAPTERS)]
LlmName = Annotated[str, listed_in(llm.ADAPTERS)]


class ModelSettings(StoreSettings):
    """A part of `Settings`."""

    ocr: OcrName = Field(default="local", description="What reads the text of pictures.")
    ocr_languages: str | None = Field(
        default=None,
        description="The languages tesseract reads, by its own names joined by plus signs.",
    )
    ocr_model: str | None = Field(default=None, description="The vision model's name.")
    ocr_url: str | None = Field(
        default=None, description="The base address of the vision model's API."
    )
    ocr_key: SecretStr | None = Field(default=None, description="The key that API asks for.")
    asr: AsrName = Field(default="local", description="What writes down speech.")
    asr_model: str | None = Field(
        default=None,
        description="The speech model's name, or the folder of a local one.",
    )
    asr_url: str | None = Field(
        default=None, description="The base address of the speech model's API."
    )
    asr_key: SecretStr | None = Field(default=None, description="The key that API asks for.")
    embedding_provider: EmbedderName = Field(
        default="local", description="What turns text into vectors; local needs no network."
    )
    embedding_model: str | None = Field(
        default=None, description="The name of the model at the provider, or of another local one."
    )
    embedding_dimensions: int | None = Field(
        default=None, ge=1, le=4_000, description="The width of such a model's vectors."
    )
    embedding_url: str | None = Field(
        default=None, description="The base address of such a provider's API."
    )
    embedding_key: SecretStr | None = Field(
        default=None, description="The key such a provider asks for."
    )
    embedding_threads: int | None = Field(
        default=None,
        ge=1,
        description="How many texts the local model embeds at once; as many as there are"
        " processors, and at most four, if absent.",
    )
    llm_provider: LlmName | None = Field(
        default=None,
        description="A language model that judges, distils and derives; by rules if absent.",
    )
    llm_model: str | None = Field(default=None, description="The model's name at that provider.")
    llm_url: str | None = Field(
        default=None, description="The base address of that provider's API."
    )
    llm_key: SecretStr | None = Field(default=None, description="The key that provider asks for.")
    llm_monthly_tokens: int | None = Field(
        default=None,
        ge=0,
        description="Tokens a month for the language model, of all processes; no limit if absent.",
    )
    search_variants: bool = Field(
        default=False,
        description="Whether /api/memories/search has the language model reword each query.",
    )

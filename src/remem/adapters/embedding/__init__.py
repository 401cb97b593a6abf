"""Embedding models, which turn text into vectors."""

from remem.adapters.table import Adapter

_REMOTE = {
    "base_url": "embedding_url",
    "api_key": "embedding_key",
    "model": "embedding_model",
    "dimensions": "embedding_dimensions",
}

ADAPTERS = {
    "local": Adapter(
        "remem.adapters.embedding.local:LocalEmbedder",
        "the model that comes with remem",
        {"threads": "embedding_threads", "model": "embedding_model"},
        checks={"embedding_model": "remem.adapters.embedding.local_models:check_model"},
    ),
    "openai": Adapter(
        "remem.adapters.embedding.openai:OpenAIEmbedder",
        "an embedding model with OpenAI's protocol",
        _REMOTE,
        defaults={
            "embedding_url": "https://api.openai.com/v1",
            "embedding_model": "text-embedding-3-small",
            "embedding_dimensions": 1_536,
        },
        key_variable="OPENAI_API_KEY",
    ),
    "ollama": Adapter(
        "remem.adapters.embedding.openai:OpenAIEmbedder",
        "an embedding model of Ollama",
        _REMOTE,
        defaults={
            "embedding_url": "http://127.0.0.1:11434/v1",
            "embedding_model": "nomic-embed-text",
            "embedding_dimensions": 768,
        },
    ),
    "sentence_transformers": Adapter(
        "remem.adapters.embedding.sentence_transformers:SentenceTransformersEmbedder",
        "a model of sentence-transformers on this machine",
        {"model": "embedding_model", "dimensions": "embedding_dimensions"},
        defaults={"embedding_model": "all-MiniLM-L6-v2", "embedding_dimensions": 384},
        package="sentence_transformers",
    ),
}

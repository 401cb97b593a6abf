"""Encryption of the credentials of connections."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "aes": Adapter(
        "remem.adapters.secrets.aes:AesSecrets",
        "AES-256-GCM with keys of this server",
        settings={"path": "secret_keys_path", "configured": "secret_keys"},
    ),
}

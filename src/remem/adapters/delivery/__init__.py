"""Channels that messages are sent by: mail, ntfy, webhooks."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "mail": Adapter(
        "remem.adapters.delivery.mail:MailChannel",
        "mail by an SMTP server",
        settings={
            "host": "smtp_host",
            "port": "smtp_port",
            "security": "smtp_security",
            "user": "smtp_user",
            "password": "smtp_password",
            "sender": "smtp_from",
        },
        required=("smtp_host", "smtp_from"),
    ),
    "ntfy": Adapter(
        "remem.adapters.delivery.ntfy:NtfyChannel",
        "push messages by ntfy",
        settings={"allow_private": "fetch_private"},
    ),
    "webhook": Adapter(
        "remem.adapters.delivery.webhook:WebhookChannel",
        "signed requests to a web address",
        settings={"allow_private": "fetch_private"},
    ),
}

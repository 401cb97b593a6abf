"""The morning page, sent by mail, to a push service or to a webhook."""

"""Mail by IMAP: the protocol, and the conversion of messages to conversations."""

"""Mail by IMAP, one module for each part of it: what a mail server says, and what is made of it."""

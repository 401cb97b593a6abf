"""The syntax of keys, which cannot name anything outside the store."""

import re

from remem.core.errors import Invalid

KEY = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)*")
MAX_CHARS = 200


def check_key(key: str) -> str:
    if len(key) > MAX_CHARS or not KEY.fullmatch(key):
        raise Invalid("key", "a blob's key is made of a-z, 0-9 and -, with / between its parts")
    return key

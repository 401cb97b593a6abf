"""Passwords hashed by the same Argon2id at a hundredth of the cost; as a program, `remem` so.

A test makes an account or two, and a quarter of a second of every core for each was a third of the
suite. What a hash costs in the product is tested in `tests/core/test_passwords.py`.
"""

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from remem.core.identity import passwords


def use_quick_passwords() -> None:
    hasher = Argon2Hasher(time_cost=1, memory_cost=64, parallelism=1)
    passwords._argon2 = PasswordHash((hasher,))


if __name__ == "__main__":
    from remem.__main__ import main

    use_quick_passwords()
    main()

"""Hash passwords with the same Argon2id at a hundredth of the cost. As a program: run `remem` so.

A test creates an account or two; a quarter of a second on every core for each of them was a third
of the suite's time. `tests/core/test_passwords.py` tests the cost of a hash in the product.
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

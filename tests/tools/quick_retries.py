"""Run `remem` with retries that do not wait; their number is unchanged.

`tests/conformance/test_fetch.py` tests how long it waits between two attempts.
"""

import stamina

MAX_ATTEMPTS = 100

if __name__ == "__main__":
    from remem.__main__ import main

    stamina.set_testing(True, attempts=MAX_ATTEMPTS, cap=True)
    main()

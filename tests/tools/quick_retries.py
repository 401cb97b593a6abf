"""As a program, `remem` that tries again at once, as often as it would.

How long it waits between two attempts is tested in `tests/conformance/test_fetch.py`.
"""

import stamina

MORE_THAN_ANY = 100

if __name__ == "__main__":
    from remem.__main__ import main

    stamina.set_testing(True, attempts=MORE_THAN_ANY, cap=True)
    main()

"""A client for a program whose standard output is not for log lines, and which must start fast."""

from typing import Any

from remem.client import AsyncRemem


class Quiet(AsyncRemem):
    """Settings are read and the log is set up with the first request, which hears of what is wrong
    with them."""

    _is_set_up = False

    async def request(self, method: str, path: str, **options: Any) -> Any:
        if not self._is_set_up:
            self._set_up()
        return await super().request(method, path, **options)

    def _set_up(self) -> None:
        from remem.logs import configure
        from remem.settings import load

        configure(load(), quiet=True)
        self._is_set_up = True

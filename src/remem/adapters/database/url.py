"""An external PostgreSQL at a URL."""

import asyncpg

from remem.core.errors import CannotStart


class PostgresAtUrl:
    def __init__(self, url: str, setting: str = "REMEM_DATABASE_URL") -> None:
        self._url = url
        self._setting = setting

    async def start(self) -> str:
        try:
            connection = await asyncpg.connect(self._url, timeout=10)
        except (ValueError, asyncpg.ClientConfigurationError) as error:
            raise CannotStart(
                f"{self._setting} is not a PostgreSQL address; write it as"
                " postgresql://user:password@host:5432/database.",
                code="database_url",
            ) from error
        except (OSError, TimeoutError, asyncpg.CannotConnectNowError) as error:
            raise CannotStart(
                f"The PostgreSQL of {self._setting} does not answer; check that it runs and"
                " that host and port are right.",
                code="database_unreachable",
            ) from error
        except asyncpg.PostgresError as error:
            raise CannotStart(
                f"PostgreSQL refused {self._setting}: {error}; check user, password and database.",
                code="database_refused",
            ) from error
        await connection.close()
        return self._url

    async def revive(self) -> None:
        """Nothing to do: remem does not run this server."""

    async def stop(self) -> None:
        """Nothing to do: remem does not run this server."""

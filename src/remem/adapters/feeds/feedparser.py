"""Parse RSS, Atom and JSON feeds in a separate process, limited in time and memory."""

from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.adapters.feeds.parse import FeedResult, parse_feed
from remem.core.errors import AnalysisStopped, Unreadable
from remem.core.feed_entries import ParsedFeed

# CPU time. An ordinary feed takes a tenth of a second.
SECONDS = 10.0
_FAILED = {
    "failed": "The feed could not be read; it is damaged. Subscribe to another one.",
    "deadline": "The feed takes too long to read; subscribe to a smaller one.",
}


class FeedparserFeeds:
    """Feeds are untrusted files, so a broken one can only stop the process that parses it."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._analysis = ProcessAnalysis(
            processes=1, deadline=Deadline(seconds), package="remem.adapters.feeds"
        )

    async def parse(self, data: bytes, url: str) -> ParsedFeed:
        try:
            result: FeedResult = await self._analysis.run(parse_feed, data, url)
        except AnalysisStopped as error:
            raise Unreadable(_FAILED.get(error.code, _FAILED["deadline"])) from error
        if isinstance(result, str):
            raise Unreadable(result)
        return result

    async def close(self) -> None:
        await self._analysis.close()

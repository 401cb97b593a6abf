"""Files that need the same costly things are run by one worker: they share them."""

from xdist.scheduler import LoadFileScheduling

# A browser, and somebody with many contents.
TOGETHER = ("tests/web/",)


class SharingFiles(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        own = super()._split_scope(nodeid)
        return next((folder for folder in TOGETHER if nodeid.startswith(folder)), own)

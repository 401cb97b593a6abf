"""Files that need the same costly things are run by one worker: they share them."""

from xdist.scheduler import LoadFileScheduling

# A browser, and somebody with many contents or with an extension that is connected.
TOGETHER = ("tests/web/", "tests/extension/test_firefox", "tests/extension/")


class SharingFiles(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        own = super()._split_scope(nodeid)
        return next((folder for folder in TOGETHER if nodeid.startswith(folder)), own)

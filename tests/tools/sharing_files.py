"""Run files that share expensive fixtures on the same worker."""

from xdist.scheduler import LoadFileScheduling

# Each folder shares a browser, and a user with sample data or with a connected extension.
SHARED_FOLDERS = ("tests/web/", "tests/extension/test_firefox", "tests/extension/")


class SharingFiles(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        default = super()._split_scope(nodeid)
        return next((folder for folder in SHARED_FOLDERS if nodeid.startswith(folder)), default)

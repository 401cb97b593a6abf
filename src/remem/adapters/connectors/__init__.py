"""Services and places that are read again and again: one module each."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "feed": Adapter(
        "remem.adapters.connectors.feed:FeedConnector",
        "RSS, Atom and JSON feeds",
        shares=("fetcher", "feeds"),
    ),
    "folder": Adapter(
        "remem.adapters.connectors.folder:FolderConnector",
        "a folder of this server, or an Obsidian vault",
        settings={"roots": "folders", "max_bytes": "max_upload_bytes"},
    ),
    "github": Adapter(
        "remem.adapters.connectors.github:GitHubConnector",
        "repositories of GitHub",
        settings={"base_url": "github_url"},
    ),
}

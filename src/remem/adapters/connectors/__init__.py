"""Services and folders that are synced repeatedly, one module or package each."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "feed": Adapter(
        "remem.adapters.connectors.feed:FeedConnector",
        "RSS, Atom and JSON feeds",
        shares=("fetcher", "feeds"),
    ),
    "folder": Adapter(
        "remem.adapters.connectors.folder:FolderConnector",
        "a folder of this server",
        settings={"roots": "folders", "max_bytes": "max_upload_bytes"},
    ),
    "obsidian": Adapter(
        "remem.adapters.connectors.obsidian:ObsidianConnector",
        "an Obsidian vault, read and written",
        settings={"roots": "folders", "max_bytes": "max_upload_bytes"},
    ),
    "github": Adapter(
        "remem.adapters.connectors.github.connector:GitHubConnector",
        "repositories of GitHub",
        settings={
            "base_url": "github_url",
            "client_id": "github_client_id",
            "client_secret": "github_client_secret",
        },
    ),
    "notion": Adapter(
        "remem.adapters.connectors.notion.connector:NotionConnector",
        "pages and databases of Notion",
        settings={
            "urls": "service_urls",
            "client_id": "notion_client_id",
            "client_secret": "notion_client_secret",
        },
    ),
    "google_drive": Adapter(
        "remem.adapters.connectors.google_drive.connector:GoogleDriveConnector",
        "folders of Google Drive",
        settings={
            "urls": "service_urls",
            "max_bytes": "max_upload_bytes",
            "client_id": "google_drive_client_id",
            "client_secret": "google_drive_client_secret",
        },
    ),
    "slack": Adapter(
        "remem.adapters.connectors.slack.connector:SlackConnector",
        "channels and marked messages of Slack",
        settings={
            "urls": "service_urls",
            "client_id": "slack_client_id",
            "client_secret": "slack_client_secret",
        },
    ),
    "imap": Adapter(
        "remem.adapters.connectors.mail.imap:ImapConnector",
        "folders of a mail account",
        settings={"allow_private": "fetch_private", "max_bytes": "max_upload_bytes"},
    ),
    "gmail": Adapter(
        "remem.adapters.connectors.mail.accounts:GmailConnector",
        "labels of a Gmail account",
        settings={
            "urls": "service_urls",
            "allow_private": "fetch_private",
            "max_bytes": "max_upload_bytes",
            "client_id": "gmail_client_id",
            "client_secret": "gmail_client_secret",
        },
    ),
    "outlook": Adapter(
        "remem.adapters.connectors.mail.accounts:OutlookConnector",
        "folders of an Outlook account",
        settings={
            "urls": "service_urls",
            "allow_private": "fetch_private",
            "max_bytes": "max_upload_bytes",
            "client_id": "outlook_client_id",
            "client_secret": "outlook_client_secret",
        },
    ),
    "s3": Adapter(
        "remem.adapters.connectors.s3:S3Connector",
        "files in a bucket of an S3 store",
        settings={"allow_private": "fetch_private", "max_bytes": "max_upload_bytes"},
    ),
    "onedrive": Adapter(
        "remem.adapters.connectors.onedrive:OneDriveConnector",
        "files of OneDrive",
        settings={
            "urls": "service_urls",
            "max_bytes": "max_upload_bytes",
            "client_id": "onedrive_client_id",
            "client_secret": "onedrive_client_secret",
        },
    ),
    "web": Adapter(
        "remem.adapters.connectors.web:WebConnector",
        "the pages of a website",
        shares=("fetcher",),
    ),
    "x": Adapter(
        "remem.adapters.connectors.x:XConnector",
        "bookmarks of X",
        settings={
            "urls": "service_urls",
            "client_id": "x_client_id",
            "client_secret": "x_client_secret",
        },
    ),
}

"""Storage for originals."""

from remem.adapters.table import Adapter

ADAPTERS = {
    "folder": Adapter(
        "remem.adapters.blobs.folder:FolderBlobs", "a folder", {"root": "blobs_folder"}
    ),
    "s3": Adapter(
        "remem.adapters.blobs.s3:S3Blobs",
        "a bucket that speaks S3",
        {
            "bucket": "blobs_bucket",
            "prefix": "blobs_prefix",
            "endpoint": "s3_endpoint",
            "region": "s3_region",
            "access_key_id": "s3_access_key_id",
            "secret_access_key": "s3_secret_access_key",
        },
    ),
}

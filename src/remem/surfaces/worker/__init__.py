"""The worker: runs jobs and scheduled tasks."""

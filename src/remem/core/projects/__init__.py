"""Projects: resolve a name, slug, id or nothing to a project, and manage projects."""

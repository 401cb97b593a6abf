"""Where things live: resolve a name, slug, id or nothing to a project."""

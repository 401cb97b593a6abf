"""What people say that names mean: entities renamed, merged and split, with undo."""

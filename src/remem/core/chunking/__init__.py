"""Split text into chunks with exact offsets."""

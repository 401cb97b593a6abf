"""What a text says about itself: title, summary, author, date, language, tags, category."""

-- A title that somebody gave stays when the text changes. Unknown of documents saved before.

ALTER TABLE documents ADD COLUMN title_given boolean;

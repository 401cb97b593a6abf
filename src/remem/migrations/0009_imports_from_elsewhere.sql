-- An import of what another product gave out: whose file it is, where its things go, and whether
-- pages that it only names are fetched.

ALTER TABLE imports ADD COLUMN origin text;
ALTER TABLE imports ADD COLUMN project text;
ALTER TABLE imports ADD COLUMN fetches boolean NOT NULL DEFAULT false;

-- Statements are kept as they were said. Who said them, when, and what their dates mean stands
-- beside them: a date is {"text", "start", "end", "certain"}.
ALTER TABLE memories ADD COLUMN speaker text CHECK (length(speaker) <= 80);
ALTER TABLE memories ADD COLUMN said_at timestamptz;
ALTER TABLE memories ADD COLUMN dates jsonb NOT NULL DEFAULT '[]'
  CHECK (jsonb_typeof(dates) = 'array');
ALTER TABLE memories ADD CONSTRAINT memories_said_at_check CHECK (in_calendar(said_at, said_at));

-- A timeline goes by when something happened, or else was said, or else was saved.
DROP INDEX memories_timeline;
CREATE INDEX memories_timeline ON memories
  (tenant_id, (coalesce(occurred_at, said_at, created_at)) DESC, id DESC)
  WHERE is_current AND deleted_at IS NULL;

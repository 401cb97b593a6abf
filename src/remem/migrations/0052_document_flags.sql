-- The flags that each member sets on a document. Null is the same as nobody.
ALTER TABLE documents ADD COLUMN unread_by uuid[];
ALTER TABLE documents ADD COLUMN favourite_of uuid[];
ALTER TABLE documents ADD COLUMN archived_by uuid[];
CREATE INDEX documents_flagged ON documents (tenant_id, created_at DESC, id DESC)
  WHERE is_latest
    AND (unread_by IS NOT NULL OR favourite_of IS NOT NULL OR archived_by IS NOT NULL);

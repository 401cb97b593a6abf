-- A search asks of every document it finds whether something that it says was replaced.
CREATE INDEX memories_replaced ON memories (tenant_id, document_id) WHERE NOT is_current;

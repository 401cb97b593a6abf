-- A key is recognised in one statement: it binds what is shown, and reads the one row that opens.
CREATE FUNCTION key_shown(digest text) RETURNS SETOF api_keys LANGUAGE plpgsql
  AS $$ BEGIN
    PERFORM set_config('remem.secret', digest, true);
    RETURN QUERY SELECT * FROM api_keys WHERE hash = digest;
  END $$;

-- With fewer links some vectors are the neighbours of none: at 100,000 every tenth was not found.
-- In less memory it would take many times as long.
SET LOCAL maintenance_work_mem = '512MB';
DROP INDEX embeddings_near_384;
CREATE INDEX embeddings_near_384 ON embeddings
  USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops) WITH (m = 24, ef_construction = 128)
  WHERE (vector_dims(vector) = 384);

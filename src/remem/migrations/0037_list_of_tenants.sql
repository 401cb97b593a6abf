-- The operator lists tenants a page at a time: one transaction sees what they are called, and
-- nothing that belongs to them.
CREATE FUNCTION bound_operator() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('remem.operator', true) = 'on' $$;
CREATE POLICY operator ON tenants FOR SELECT USING ((SELECT bound_operator()));

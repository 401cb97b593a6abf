-- What language models cost, by month and model, for all processes of the server together.
CREATE TABLE token_use (
  month date NOT NULL,
  provider text NOT NULL CHECK (length(provider) <= 50),
  model text NOT NULL CHECK (length(model) <= 500),
  calls bigint NOT NULL DEFAULT 0 CHECK (calls >= 0),
  input_tokens bigint NOT NULL DEFAULT 0 CHECK (input_tokens >= 0),
  output_tokens bigint NOT NULL DEFAULT 0 CHECK (output_tokens >= 0),
  cost_usd double precision NOT NULL DEFAULT 0 CHECK (cost_usd >= 0),
  PRIMARY KEY (month, provider, model)
);

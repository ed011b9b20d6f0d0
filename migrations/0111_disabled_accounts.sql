-- context: identity
alter table users
  -- Null unless the operator has disabled the account.
  add column disabled_at timestamptz,
  -- Language of the notices by mail; null until the first login.
  add column language text;

-- Removed clients are kept, because tokens and codes in the records of the past refer to them.
alter table clients add column removed_at timestamptz;

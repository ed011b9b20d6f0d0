-- context: administration

-- Links that open the first organization of an empty installation. The database holds only the hash of a token.
create table setup_links (
  hash bytea primary key,
  expires_at timestamptz not null
);

-- Restores of this database from a backup. A restored copy must repeat nothing outside of itself, so its background
-- work waits until an operator allows it.
create table restored_copies (
  restored_at timestamptz primary key default now(),
  resumed_at timestamptz
);

-- context: administration
-- Links that open the first organization of an empty installation. The database holds only the hash of a token.
create table setup_links (
  hash bytea primary key,
  expires_at timestamptz not null
);

-- context: identity
-- Links that set a new password. Each works once; the database holds only the hash of its token.
create table password_resets (
  hash bytea primary key,
  user_id integer not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Null while the link works.
  used_at timestamptz
);

create index password_resets_user on password_resets (user_id, created_at);
create index password_resets_age on password_resets (expires_at);

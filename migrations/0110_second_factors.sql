-- context: identity
-- Time-based one-time passwords (RFC 6238). The secret is encrypted; recovery codes are stored as hashes.
create table second_factors (
  user_id integer primary key references users,
  sealed_secret text not null,
  -- Null until the user has entered a first code; until then the login asks for none.
  confirmed_at timestamptz,
  -- Time step of the latest accepted code: a code of this step or an earlier one is refused.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id integer not null references users,
  hash bytea not null,
  -- Null while the code works.
  used_at timestamptz,
  primary key (user_id, hash)
);

alter table sessions
  -- True between the password and the second step; such a session opens no page but that of the second step.
  add column second_step_due boolean not null default false,
  -- Time at which the user last proved their identity in this session.
  add column authenticated_at timestamptz not null default now(),
  add column last_used_at timestamptz not null default now(),
  -- Network of the browser, e.g. 203.0.113.0/24; null for a session that is older than this column.
  add column network text;

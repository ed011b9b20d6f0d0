-- context: identity
-- Browsers that have logged in. Each counts its own wrong passwords, so that those of strangers do not hold it up.
create table login_devices (
  hash bytea primary key,
  user_id integer not null references users,
  -- Wrong passwords since the last login.
  failures integer not null default 0,
  expires_at timestamptz not null
);

create index login_devices_age on login_devices (expires_at);

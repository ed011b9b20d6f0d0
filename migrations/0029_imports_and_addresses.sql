-- context: banking

-- The mapping that the import stored with the account; null if it stored none. If the import is deleted, the account gets
-- the mapping of the latest remaining import.
alter table bank_imports add column csv_mapping jsonb;

-- True if the first statement named the account. If no import remains, the account loses this number again.
alter table bank_accounts add column is_named_by_import boolean not null default false;

-- Nobody knows which import stored the present mapping of an account, so the latest one counts.
update bank_imports i set csv_mapping = a.csv_mapping
from bank_accounts a
where a.organization_id = i.organization_id and a.csv_mapping is not null
  and i.id = (select max(l.id) from bank_imports l where l.organization_id = a.organization_id and l.bank_account_id = a.id);

-- context: identity

-- Links that confirm a new email address of a user.
create table email_changes (
  hash bytea primary key,
  user_id bigint not null references users,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Null while the link works.
  used_at timestamptz
);

create index email_changes_user on email_changes (user_id, created_at);
create index email_changes_age on email_changes (expires_at);

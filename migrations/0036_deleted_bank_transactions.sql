-- context: banking

-- The lines of deleted imports, as far as a client needs them that syncs the list of bank transactions. There is no
-- foreign key to the account, because checking it for each of 100,000 lines would slow the deletion of an import down.
create table deleted_bank_transactions (
  organization_id bigint not null,
  id bigint not null,
  bank_account_id bigint not null,
  booking_date date not null,
  status text not null,
  deleted_at timestamptz not null,
  primary key (organization_id, deleted_at, id)
);

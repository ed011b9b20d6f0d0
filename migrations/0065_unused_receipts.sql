-- context: expenses

-- Time since which no expense uses the receipt; null while one does. An expense uses the receipt of its path and the
-- receipts whose upload named it. An unused receipt is removed at the end of its retention.
alter table receipts add column unused_since timestamptz;

-- The lock makes a concurrent deletion of the expense wait, which then finds the receipt.
create function use_named_receipt() returns trigger language plpgsql as $$
begin
  perform from expenses
  where organization_id = new.organization_id and id = new.expense_id and deleted_at is null for key share;
  if found then
    new.unused_since := null;
  end if;
  return new;
end
$$;

create trigger receipts_named before insert on receipts for each row
  when (new.expense_id is not null) execute function use_named_receipt();

-- The trigger runs before the expense's row is written, so that receipts are locked after expenses and before the
-- journal, as everywhere. The receipts are locked first: the second of two expenses that change one receipt then sees
-- the first.
create function use_receipts() returns trigger language plpgsql as $$
begin
  perform from receipts r
  where r.organization_id = new.organization_id
    and (r.receipt_path in (new.receipt_path, old.receipt_path) or r.expense_id = new.id)
  order by r.id for no key update;
  update receipts r
  set unused_since = case when (new.deleted_at is null and (r.receipt_path = new.receipt_path or r.expense_id = new.id))
    or exists (
      select from expenses e
      where e.organization_id = r.organization_id and e.id <> new.id and e.receipt_path = r.receipt_path
        and e.deleted_at is null)
    or exists (
      select from expenses e
      where e.organization_id = r.organization_id and e.id <> new.id and e.id = r.expense_id and e.deleted_at is null)
    then null else now() end
  where r.organization_id = new.organization_id
    and (r.receipt_path in (new.receipt_path, old.receipt_path) or r.expense_id = new.id);
  return new;
end
$$;

create trigger expenses_receipt_of_new before insert on expenses for each row
  when (new.receipt_path is not null) execute function use_receipts();
create trigger expenses_receipt_of_changed before update of receipt_path, deleted_at on expenses for each row
  when (old.receipt_path is distinct from new.receipt_path or old.deleted_at is distinct from new.deleted_at)
  execute function use_receipts();

-- It is not recorded when expenses gave up receipts, so the retention of all unused receipts begins again. The triggers
-- exist by now, so that no expense of the version before is missed.
update receipts r set unused_since = now()
where not exists (
    select from expenses e
    where e.organization_id = r.organization_id and e.receipt_path = r.receipt_path and e.deleted_at is null)
  and not exists (
    select from expenses e where e.organization_id = r.organization_id and e.id = r.expense_id and e.deleted_at is null);

alter table receipts alter column unused_since set default now();

drop index receipts_age;
create index receipts_unused on receipts (unused_since)
  where unused_since is not null and status in ('done', 'needs_review', 'failed');

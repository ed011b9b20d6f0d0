-- context: platform

-- Events are stored as the text that their writer made, which costs half as much as parsing them into jsonb.
alter table outbox alter column data type json using data::json;

-- The lock date of the books, in the row that every writer locks: a writer compares it with the date that it read when
-- its request began, and the locked row has the date that is committed last.
alter table journals add column books_locked_until date;

create function refuse_locked_books(organization bigint) returns boolean language plpgsql as $$
begin
  raise exception 'the books of organization % were locked meanwhile', organization
    using errcode = 'serialization_failure';
end
$$;

-- context: organizations

update journals set books_locked_until = (settings ->> 'books_locked_until')::date
from organizations where id = organization_id and settings ? 'books_locked_until';

-- Processes of the version before call `require_known_lock`, which the next version may drop.
create function lock_books() returns trigger language plpgsql as $$
begin
  update journals set books_locked_until = (new.settings ->> 'books_locked_until')::date
  where organization_id = new.id;
  return null;
end
$$;

create trigger organizations_books_locked after update of settings on organizations for each row
  when (old.settings ->> 'books_locked_until' is distinct from new.settings ->> 'books_locked_until')
  execute function lock_books();

-- context: billing

-- One function keeps the tallies, row by row. Its trigger compares plain columns, because PostgreSQL prepares the
-- condition anew for each statement and a call of `tallied_due_date` would take most of that time.
create function tally_invoice() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    update invoice_tallies set count = count - 1
    where organization_id = old.organization_id and state = old.state and issue_date = old.issue_date
      and due_date = tallied_due_date(old.state, old.due_date);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into invoice_tallies as t
    values (new.organization_id, new.state, new.issue_date, tallied_due_date(new.state, new.due_date), 1)
    on conflict (organization_id, state, issue_date, due_date) do update set count = t.count + 1;
  end if;
  return null;
end
$$;

-- Only the trigger writes the tallies, under the organization of an invoice.
alter table invoice_tallies drop constraint invoice_tallies_organization_id_fkey;

drop trigger invoices_tallied_insert on invoices;
drop trigger invoices_tallied_delete on invoices;
drop trigger invoices_tallied_update on invoices;
drop function tally_invoices;
drop function tally_moved_invoice;

create trigger invoices_tallied after insert or delete on invoices for each row execute function tally_invoice();
create trigger invoices_tallied_update after update on invoices for each row
  when ((old.state, old.issue_date, old.due_date, old.deleted_at)
    is distinct from (new.state, new.issue_date, new.due_date, new.deleted_at))
  execute function tally_invoice();

-- context: billing
-- Organizations may number invoices when they are created. A numbered draft that is deleted stays, as void: its number is
-- used up, and no gap opens.
alter table invoices
  add column voided_at timestamptz,
  drop constraint invoices_check3,
  add constraint invoices_issued_numbered check (issued_at is null or number is not null),
  add constraint invoices_void_numbered check (voided_at is null or (number is not null and issued_at is null));

-- PostgreSQL 15 cannot give a generated column another expression: it is made anew, with the indexes that went with it.
alter table invoices drop column state;
alter table invoices add column state text not null generated always as (
  case
    when voided_at is not null then 'void'
    when issued_at is null then 'draft'
    when amount_credited > 0 and amount_credited = total then 'credited'
    when total - amount_credited - amount_paid + amount_refunded <= 0 then 'paid'
    when amount_paid > amount_refunded or amount_credited > 0 then 'partially_paid'
    else 'sent'
  end) stored;

create index invoices_by_state on invoices (organization_id, state, issue_date desc, id desc) include (due_date)
  where deleted_at is null;
create index invoices_customer on invoices (customer_id, issue_date desc, id desc)
  include (organization_id, state, due_date) where deleted_at is null;
create index invoices_due on invoices (organization_id, due_date)
  include (currency, total, amount_credited, amount_paid, amount_refunded)
  where deleted_at is null and state in ('sent', 'partially_paid');
create index invoices_falling_due on invoices (due_date, id)
  where deleted_at is null and state in ('sent', 'partially_paid') and announced_due_date is distinct from due_date;

-- context: expenses
-- What a void invoice billed is to be billed again, as if the invoice were gone.
create or replace function release_expenses() returns trigger language plpgsql as $$
declare
  gone constant boolean := new.deleted_at is not null or new.voided_at is not null;
begin
  perform id from expenses
  where organization_id = new.organization_id
    and (billed_invoice_id = new.id or (linked_invoice_id = new.id and gone))
  order by id for update;
  update expenses
  set billed_invoice_id = null, billed_item_id = null, updated_at = now(), version = version + 1
  where organization_id = new.organization_id and billed_invoice_id = new.id
    and (gone or not new.items @> jsonb_build_array(jsonb_build_object('id', billed_item_id)));
  if gone then
    update expenses
    set linked_invoice_id = null, updated_at = now(), version = version + 1
    where organization_id = new.organization_id and linked_invoice_id = new.id;
  end if;
  return new;
end
$$;

drop trigger invoices_release_expenses on invoices;
create trigger invoices_release_expenses before update of items, deleted_at, voided_at on invoices for each row
  when (old.items is distinct from new.items or old.deleted_at is distinct from new.deleted_at
    or old.voided_at is distinct from new.voided_at)
  execute function release_expenses();

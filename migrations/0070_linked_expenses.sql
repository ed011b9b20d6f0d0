-- context: expenses
create index expenses_linked on expenses (linked_invoice_id) where linked_invoice_id is not null;

-- An expense is billed as long as its invoice has the line, and linked as long as the invoice is there. Before the
-- invoice's row is written, so that expenses are locked before the journal, and by their ids, as everywhere.
create or replace function release_expenses() returns trigger language plpgsql as $$
begin
  perform id from expenses
  where organization_id = new.organization_id
    and (billed_invoice_id = new.id or (linked_invoice_id = new.id and new.deleted_at is not null))
  order by id for update;
  update expenses
  set billed_invoice_id = null, billed_item_id = null, updated_at = now(), version = version + 1
  where organization_id = new.organization_id and billed_invoice_id = new.id
    and (new.deleted_at is not null or not new.items @> jsonb_build_array(jsonb_build_object('id', billed_item_id)));
  if new.deleted_at is not null then
    update expenses
    set linked_invoice_id = null, updated_at = now(), version = version + 1
    where organization_id = new.organization_id and linked_invoice_id = new.id;
  end if;
  return new;
end
$$;

update expenses e set linked_invoice_id = null, updated_at = now(), version = e.version + 1
from invoices i
where i.organization_id = e.organization_id and i.id = e.linked_invoice_id and i.deleted_at is not null;

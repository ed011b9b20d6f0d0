-- context: billing
-- `prepaid_amount` was paid before the invoice, under a number of its own or in cash. It is a part of `amount_paid` from
-- the first draft on, so whatever is computed of `amount_paid` stays true.
alter table invoices
  add column prepaid_amount numeric(18, 6) not null default 0
    check (prepaid_amount >= 0 and prepaid_amount <= amount_paid and prepaid_amount <= total);
alter table quotes
  add column prepaid_amount numeric(18, 6) not null default 0 check (prepaid_amount >= 0 and prepaid_amount <= total);

-- An issue is taken back while nothing but the prepaid amount has been paid.
create or replace function keep_invoice_sealed() returns trigger language plpgsql as $$
declare
  -- `state` is generated, and not computed yet.
  free text[] := array['due_date', 'amount_paid', 'amount_refunded', 'amount_credited', 'sent_at',
    'sent_method', 'paid_at', 'updated_at', 'version', 'state', 'announced_due_date', 'created_by', 'external_id',
    'metadata'];
  -- A sending that reached nobody takes the issue back, with the number unless a later one is in use.
  undone constant boolean := old.issued_at is not null and new.issued_at is null and new.sent_at is null
    and new.amount_paid = new.prepaid_amount and new.amount_credited = 0;
  before invoices := old;
  after invoices := new;
begin
  -- Lines are compared as they are: as a part of the whole row they would be copied for every payment.
  before.items := null;
  before.tax_breakdown := null;
  after.items := null;
  after.tax_breakdown := null;
  if undone then
    free := free || array['issued_at', 'number', 'payment_reference'];
  end if;
  if old.items is distinct from new.items or old.tax_breakdown is distinct from new.tax_breakdown
    or to_jsonb(before) - free <> to_jsonb(after) - free then
    raise exception 'invoice % is sealed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

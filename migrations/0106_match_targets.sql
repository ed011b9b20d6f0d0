-- context: banking
-- A match gives an amount of a line one end: a document, a refund, a line of another account, or the reason why the
-- amount needs no document.
alter table bank_matches
  add column payment_refund_id integer,
  add column credit_note_id integer,
  add column transfer_transaction_id integer,
  add column exclude jsonb,
  -- The payment method to which an expense returns when the match is undone.
  add column expense_payment_method text,
  -- Refunds that the match booked, to be reversed when the match is undone.
  add column booked_refund_ids integer[] not null default '{}',
  add foreign key (organization_id, credit_note_id) references credit_notes (organization_id, id),
  add foreign key (organization_id, transfer_transaction_id) references bank_transactions (organization_id, id),
  drop constraint bank_matches_check,
  add check (num_nonnulls(invoice_id, expense_id, payment_refund_id, credit_note_id, transfer_transaction_id, exclude)
    = 1);

-- The earlier method of an expense is unknown for matches made before, so it stays.
update bank_matches m set expense_payment_method = e.payment_method
from expenses e where e.organization_id = m.organization_id and e.id = m.expense_id;

create index bank_matches_refund on bank_matches (payment_refund_id)
  where payment_refund_id is not null and undone_at is null;
create index bank_matches_booked_refunds on bank_matches using gin (booked_refund_ids)
  where booked_refund_ids <> '{}' and undone_at is null;
create index bank_matches_credit_note on bank_matches (credit_note_id)
  where credit_note_id is not null and undone_at is null;
create unique index bank_matches_transfer on bank_matches (bank_transaction_id, transfer_transaction_id)
  where transfer_transaction_id is not null and undone_at is null;

-- An excluded line has the sum of its exclusions as its matched amount; one of amount zero has none.
alter table bank_transactions
  drop constraint bank_transactions_check3,
  add check (status not in ('unmatched', 'suggested') or matched_amount = 0),
  add check (status <> 'excluded' or matched_amount = abs(amount));

-- context: billing
-- A refund stays as it was booked, and is reversed by a mark, once.
alter table payment_refunds
  add column reversed_at timestamptz,
  add unique (organization_id, id);

drop trigger payment_refunds_sealed on payment_refunds;
create trigger payment_refunds_sealed before update on payment_refunds for each row
  when ((old.id, old.organization_id, old.payment_id, old.amount, old.reason, old.created_at)
      is distinct from (new.id, new.organization_id, new.payment_id, new.amount, new.reason, new.created_at)
    or old.reversed_at is not null)
  execute function refuse_sealed_change();
create trigger payment_refunds_kept before delete on payment_refunds
  for each row execute function refuse_sealed_change();

alter table bank_matches
  add foreign key (organization_id, payment_refund_id) references payment_refunds (organization_id, id);

drop trigger payments_sealed on payments;
create trigger payments_sealed before update on payments for each row
  when ((old.id, old.organization_id, old.invoice_id, old.amount, old.currency, old.created_at)
      is distinct from (new.id, new.organization_id, new.invoice_id, new.amount, new.currency, new.created_at)
    or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at))
  execute function refuse_sealed_change();

-- The refunded amount changes only with a refund or its reversal in the same transaction.
create function require_refunds() returns trigger language plpgsql as $$
begin
  if new.refunded_amount <> (select coalesce(sum(amount), 0) from payment_refunds
      where organization_id = new.organization_id and payment_id = new.id and reversed_at is null) then
    raise exception 'payments % is sealed', new.id using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create constraint trigger payments_refunds_add_up after update on payments deferrable initially deferred for each row
  when (old.refunded_amount <> new.refunded_amount) execute function require_refunds();

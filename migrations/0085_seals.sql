-- context: billing
-- An issued document stays what it was when it was issued. The columns named here may change later; every other column,
-- also one that a later migration adds, is sealed. Whoever owns the database can drop these triggers: the proof of the
-- books then finds what was changed.
create function refuse_sealed_change() returns trigger language plpgsql as $$
begin
  raise exception '% % is sealed', tg_table_name, old.id using errcode = 'restrict_violation';
end
$$;

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are kept', tg_table_name using errcode = 'restrict_violation';
end
$$;

create function keep_invoice_sealed() returns trigger language plpgsql as $$
declare
  -- `state` is generated, and not computed yet.
  free text[] := array['due_date', 'amount_paid', 'amount_refunded', 'amount_credited', 'sent_at',
    'sent_method', 'paid_at', 'updated_at', 'version', 'state', 'announced_due_date', 'created_by', 'external_id',
    'metadata'];
  -- A sending that reached nobody takes the issue back, with the number unless a later one is in use.
  undone constant boolean := old.issued_at is not null and new.issued_at is null and new.sent_at is null
    and new.amount_paid = 0 and new.amount_credited = 0;
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

create trigger invoices_sealed before update on invoices for each row
  when (old.issued_at is not null or old.voided_at is not null) execute function keep_invoice_sealed();
create trigger invoices_kept before delete on invoices for each row
  when (old.issued_at is not null or old.voided_at is not null) execute function refuse_sealed_change();
create trigger invoices_no_truncate before truncate on invoices for each statement execute function refuse_removal();

-- An issue is taken back only by a transaction that says so in the audit chain: its entries are the last ones there,
-- because it holds the journal's lock until it commits.
create function require_undone_entry() returns trigger language plpgsql as $$
declare
  last text;
begin
  select canonical into last from audit_entries
  where organization_id = new.organization_id
    and seq > (select entries - 100 from journals where organization_id = new.organization_id)
    and canonical like '{"action":"invoice.%' and canonical::jsonb #>> '{data,invoice_id}' = new.id::text
  order by seq desc limit 1;
  if last is null or last not like '{"action":"invoice.issue_undone",%' then
    raise exception 'invoice % is sealed', new.id using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create constraint trigger invoices_undone after update on invoices deferrable initially deferred for each row
  when (old.issued_at is not null and new.issued_at is null) execute function require_undone_entry();

create function keep_credit_note_sealed() returns trigger language plpgsql as $$
declare
  free constant text[] := array['updated_at', 'version', 'created_by', 'external_id', 'metadata'];
begin
  if to_jsonb(old) - free <> to_jsonb(new) - free then
    raise exception 'credit note % is sealed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger credit_notes_sealed before update on credit_notes for each row
  when (old.sent_at is not null) execute function keep_credit_note_sealed();
create trigger credit_notes_kept before delete on credit_notes for each row
  when (old.sent_at is not null) execute function refuse_sealed_change();
create trigger credit_notes_no_truncate before truncate on credit_notes
  for each statement execute function refuse_removal();

-- Who an issued document was for and from.
create function keep_correspondents_sealed() returns trigger language plpgsql as $$
begin
  if (old.document = 'invoice' and exists (select from invoices
      where organization_id = old.organization_id and id = old.document_id and issued_at is not null))
    or (old.document = 'credit_note' and exists (select from credit_notes
      where organization_id = old.organization_id and id = old.document_id and sent_at is not null)) then
    raise exception '% % is sealed', old.document, old.document_id using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

create trigger document_correspondents_sealed before update on document_correspondents for each row
  when (old is distinct from new) execute function keep_correspondents_sealed();
create trigger document_correspondents_kept before delete on document_correspondents for each row
  execute function keep_correspondents_sealed();
create trigger document_correspondents_no_truncate before truncate on document_correspondents
  for each statement execute function refuse_removal();

-- Money that moved stays as it was booked. How it is described may change, and it is taken back by a mark, once.
create trigger payments_sealed before update on payments for each row
  when ((old.id, old.organization_id, old.invoice_id, old.amount, old.currency, old.created_at)
      is distinct from (new.id, new.organization_id, new.invoice_id, new.amount, new.currency, new.created_at)
    or new.refunded_amount < old.refunded_amount
    or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at))
  execute function refuse_sealed_change();
create trigger payments_kept before delete on payments for each row execute function refuse_sealed_change();
create trigger payments_no_truncate before truncate on payments for each statement execute function refuse_removal();
create trigger payment_refunds_sealed before update or delete on payment_refunds
  for each row execute function refuse_sealed_change();
create trigger payment_refunds_no_truncate before truncate on payment_refunds
  for each statement execute function refuse_removal();

-- A series goes on, or gives its last number back.
create function refuse_counter_jump() returns trigger language plpgsql as $$
begin
  raise exception 'the series % of % goes on number by number', old.series, old.document
    using errcode = 'restrict_violation';
end
$$;

create trigger document_counters_sealed before update on document_counters for each row
  when (new.next < old.next - 1
    or (old.organization_id, old.document, old.series) is distinct from (new.organization_id, new.document, new.series))
  execute function refuse_counter_jump();
create trigger document_counters_kept before delete on document_counters
  for each row execute function refuse_counter_jump();
create trigger document_counters_no_truncate before truncate on document_counters
  for each statement execute function refuse_removal();

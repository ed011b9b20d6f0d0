-- context: billing

-- The day on which the money was returned. Null in refunds of earlier versions, which count on the day of created_at.
alter table payment_refunds add column refund_date date;

drop trigger payment_refunds_sealed on payment_refunds;
create trigger payment_refunds_sealed before update on payment_refunds for each row
  when ((old.id, old.organization_id, old.payment_id, old.amount, old.reason, old.created_at, old.refund_date)
      is distinct from (new.id, new.organization_id, new.payment_id, new.amount, new.reason, new.created_at, new.refund_date)
    or old.reversed_at is not null)
  execute function refuse_sealed_change();

-- The setting `invoice_next_number` from which the series went on; null if it did not. One series only goes on from it.
alter table document_counters add column asked integer;

update document_counters c set asked = (o.settings ->> 'invoice_next_number')::integer
from organizations o
where o.id = c.organization_id and c.document = 'invoice' and c.next > (o.settings ->> 'invoice_next_number')::integer;

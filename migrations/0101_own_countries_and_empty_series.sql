-- context: billing

-- A tax rate with a country counts as a rate of the One Stop Shop, so a rate of the organization's own country has none.
-- Issued documents keep their copies of the rates.
update tax_rates r set country = null, updated_at = now()
from letterheads l
where l.organization_id = r.organization_id and r.country = l.printed ->> 'country';

-- A series of a year in which no invoice has a number may begin again at a lower number.
create or replace function refuse_counter_jump() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.document = 'invoice'
    and (old.organization_id, old.document, old.series) = (new.organization_id, new.document, new.series)
    and not exists (
      select from invoices where organization_id = old.organization_id and number is not null
        and issue_date between make_date(old.series::integer, 1, 1) and make_date(old.series::integer, 12, 31)) then
    return new;
  end if;
  raise exception 'the series % of % goes on number by number', old.series, old.document
    using errcode = 'restrict_violation';
end
$$;

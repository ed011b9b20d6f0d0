-- context: billing

-- A tax rate with a country counts as a rate of the One Stop Shop, so a rate of the organization's own country has none.
-- Documents keep their copies of the rates.
update tax_rates r set country = null, updated_at = now()
from letterheads l
where l.organization_id = r.organization_id and r.country = l.printed ->> 'country';

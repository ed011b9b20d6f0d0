-- context: customers
-- Peppol has removed these schemes. Their numbers are part of the identifiers under the schemes that replace them: the
-- Finnish business ID (0212), VAT number (0213) and OVT code (0037) under 0216, the Belgian enterprise number (9956)
-- under 0208. Other removed schemes have no such successor; a submission to them says which fields to correct.
with replaced as (
  select id,
    case einvoicing_identifier_scheme when '9956' then '0208' else '0216' end as scheme,
    case einvoicing_identifier_scheme
      when '0212' then '0037' || replace(value, '-', '')
      when '0213' then '0037' || replace(value, 'FI', '')
      else value
    end as value
  from customers, lateral (select upper(regexp_replace(einvoicing_identifier_value, '\s', '', 'g')) as value) as compact
  where einvoicing_identifier_scheme in ('0037', '0212', '0213', '9956')
)
update customers
set einvoicing_identifier_scheme = replaced.scheme,
  einvoicing_identifier_value = replaced.value,
  einvoicing_identifier_verified = false,
  updated_at = now(),
  version = version + 1
from replaced
where customers.id = replaced.id
  and replaced.value ~ case replaced.scheme when '0208' then '^[01]\d{9}$' else '^0037\d{8}[0-9A-Z]{0,5}$' end;

-- context: organizations

-- A FatturaPA states the tax regime that its Italian seller had when it issued the document. Snapshots that were stored
-- before lack the regime.
create or replace view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_name', contact_name,
    'contact_email', contact_email, 'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'currency', currency, 'register_court', register_court, 'share_capital', share_capital,
    'managing_directors', managing_directors, 'national_tax_number', national_tax_number,
    'late_payment_penalty', late_payment_penalty, 'early_payment_discount', early_payment_discount,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic',
    'logo', logo, 'brand_color', settings ->> 'brand_color', 'document_footer', settings ->> 'document_footer',
    'it_tax_regime', case when country = 'IT' then coalesce(settings ->> 'it_tax_regime', 'RF01') end
  ) as printed
from organizations;

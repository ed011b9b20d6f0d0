-- context: organizations
-- The contact is on e-invoices (EN 16931, BT-41).
create or replace view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_name', contact_name,
    'contact_email', contact_email, 'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic') as printed
from organizations;

-- context: organizations
-- What the law wants of a seller on its invoices beyond its name and tax number. Null is unknown.
alter table organizations
  add column register_court text,
  add column share_capital text,
  add column managing_directors text,
  add column national_tax_number text,
  add column late_payment_penalty text,
  add column early_payment_discount text;

create or replace view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_name', contact_name,
    'contact_email', contact_email, 'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'currency', currency, 'register_court', register_court, 'share_capital', share_capital,
    'managing_directors', managing_directors, 'national_tax_number', national_tax_number,
    'late_payment_penalty', late_payment_penalty, 'early_payment_discount', early_payment_discount,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic') as printed
from organizations;

-- context: einvoicing
-- A document prints what its network and its authority made of it. A submission is of an invoice or of a credit note.
alter table einvoices
  add column credit_note_id integer,
  alter column invoice_id drop not null,
  add check (num_nonnulls(invoice_id, credit_note_id) = 1),
  add foreign key (organization_id, credit_note_id) references credit_notes (organization_id, id);
create index einvoices_of_invoice on einvoices (organization_id, invoice_id);
create index einvoices_of_credit_note on einvoices (organization_id, credit_note_id) where credit_note_id is not null;

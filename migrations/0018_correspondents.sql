-- context: customers
-- What a document prints of its customer; of a deleted one, whom only drafts still name, no more than that name.
create or replace view debtors as
select organization_id, id, name, deleted_at is null as active,
  case when deleted_at is null
    then jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
      'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'tax_number', tax_number,
      'language', language)
    else jsonb_build_object('name', name)
  end as printed
from customers;

-- context: organizations
-- What a document prints of the organization that writes it.
create view letterheads as
select id as organization_id,
  jsonb_build_object('name', name, 'address_line1', address_line1, 'address_line2', address_line2,
    'postal_code', postal_code, 'city', city, 'state', state, 'country', country, 'contact_email', contact_email,
    'contact_phone', contact_phone, 'website', website, 'tax_number', tax_number,
    'registration_number', registration_number, 'legal_form', legal_form, 'language', language,
    'iban', settings ->> 'payment_iban', 'bic', settings ->> 'payment_bic') as printed
from organizations;

-- context: billing
-- Who a document was issued to, and whose letterhead it bears, as both were then.
create table document_correspondents (
  organization_id integer not null references organizations,
  document text not null check (document in ('invoice', 'quote', 'credit_note')),
  document_id integer not null,
  customer jsonb not null,
  organization jsonb not null,
  primary key (organization_id, document, document_id)
);

-- Documents issued before this was kept go on printing what they print today.
insert into document_correspondents (organization_id, document, document_id, customer, organization)
select issued.organization_id, issued.document, issued.id, debtors.printed, letterheads.printed
from (
  select organization_id, customer_id, 'invoice' as document, id from invoices where issued_at is not null
  union all
  select organization_id, customer_id, 'quote', id from quotes where number is not null and status <> 'draft'
  union all
  select organization_id, customer_id, 'credit_note', id from credit_notes where sent_at is not null) issued
join debtors on debtors.organization_id = issued.organization_id and debtors.id = issued.customer_id
join letterheads on letterheads.organization_id = issued.organization_id;

-- context: organizations
-- A logo is stored as PNG under its hash. Replaced logos stay, because issued documents print the logo of their time.
create table organization_logos (
  organization_id integer not null references organizations,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  png bytea not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, sha256)
);

-- `logo` was a text that nothing printed. From now on it is the hash of the organization's present logo.
update organizations set logo = null where logo is not null;
alter table organizations add foreign key (id, logo) references organization_logos (organization_id, sha256);

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
    'logo', logo, 'brand_color', settings ->> 'brand_color', 'document_footer', settings ->> 'document_footer'
  ) as printed
from organizations;

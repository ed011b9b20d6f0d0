-- context: billing
-- `country` is null for a rate of the organization's own country, and names the country of consumption for sales under
-- the EU's One Stop Shop. `exemption_code` is the VATEX code of a rate that bears no tax; null where none applies.
alter table tax_rates
  add column country char(2),
  add column exemption_code text;

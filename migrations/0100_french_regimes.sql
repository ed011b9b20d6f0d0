-- context: einvoicing

-- The VAT regimes by which an organization reports to the French tax authority, each since the day on which the service
-- noticed it. The oldest also holds for all days before. A period that ended before a change keeps the earlier regime.
create table french_regimes (
  organization_id bigint not null references organizations,
  environment text not null check (environment in ('production', 'sandbox')),
  since date not null,
  regime text not null check (regime in ('normal_monthly', 'normal_quarterly', 'simplified', 'franchise')),
  primary key (organization_id, environment, since)
);

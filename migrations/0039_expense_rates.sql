-- context: expenses

-- Units of the organization's currency for one unit of the expense's; null if unknown. Reports convert with it.
alter table expenses add column exchange_rate numeric(18, 6) check (exchange_rate > 0);

create index expenses_converted on expenses (organization_id, expense_date)
  where exchange_rate is not null and deleted_at is null;

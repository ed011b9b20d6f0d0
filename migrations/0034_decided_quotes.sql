-- context: billing

-- A quote that was rejected before it was sent has no number, but it is no draft either, so its customer stays.
create or replace view documented_customers as
select organization_id, customer_id as id from invoices where deleted_at is null and issued_at is not null
union all
select organization_id, customer_id from quotes where deleted_at is null and (number is not null or status <> 'draft');

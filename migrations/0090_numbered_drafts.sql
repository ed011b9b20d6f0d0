-- context: billing

-- A draft with a number becomes void when it is deleted, and is kept, so its customer stays, too. Every issued or void
-- invoice has a number.
create or replace view documented_customers as
select organization_id, customer_id as id from invoices where deleted_at is null and number is not null
union all
select organization_id, customer_id from quotes where deleted_at is null and (number is not null or status <> 'draft');

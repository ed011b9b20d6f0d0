-- context: billing

-- A void invoice has a number, so its customer stays, although the invoice was never issued.
create or replace view documented_customers as
select organization_id, customer_id as id from invoices
where deleted_at is null and (issued_at is not null or voided_at is not null)
union all
select organization_id, customer_id from quotes where deleted_at is null and (number is not null or status <> 'draft');

-- context: einvoicing

-- A record that the tax agency refused may be followed by another one of the same kind.
alter table verifactu_records drop constraint verifactu_records_organization_id_environment_transmission__key;
create unique index verifactu_records_once on verifactu_records (organization_id, environment, transmission_id, kind)
  where state <> 'rejected';
create index verifactu_records_of_transmission on verifactu_records (organization_id, environment, transmission_id);

-- context: archive
-- What the proof of an organization has come to, signed by the service: nobody else can write that a proof passed, or
-- that objects were read which were not.
create table archive_proofs (
  organization_id integer primary key,
  record text not null,
  signature text not null
);

-- What was read is found in the audit chain, and no longer by rows that could be changed beside it.
drop table archive_checks;
alter table vaults drop column integrity_state, drop column proof_started_at, drop column last_proven_at;

-- An incident tells of an object, also when its row is gone.
alter table archive_incidents drop constraint archive_incidents_organization_id_object_id_fkey;

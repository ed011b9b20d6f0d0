-- context: archive
-- Objects and exchanges say whether a simulated network is behind them. Null: no network has anything to do with the object.
alter table archive_objects add column environment text check (environment in ('production', 'sandbox'));

-- The simulated network was the only one until now, so everything that was exchanged so far belongs to it.
alter table archive_objects disable trigger archive_objects_append_only;
update archive_objects set environment = 'sandbox' where object_kind <> 'pdf';
alter table archive_objects enable trigger archive_objects_append_only;

alter table archive_transmissions
  add column environment text not null default 'sandbox' check (environment in ('production', 'sandbox'));
alter table archive_transmissions alter column environment drop default;

-- context: einvoicing

-- Events of organizations that keep the chain of their Spanish invoice records and send none (Orden HAC/1177/2024,
-- art. 9). They form a second chain, whose lock is the row of the first one.
create table verifactu_events (
  organization_id bigint not null,
  environment text not null,
  position bigint not null,
  type text not null check (type in ('01', '02', '03', '04', '05', '06', '07', '08', '09', '10')),
  generated_at timestamptz not null,
  -- The position of the latest invoice record when the event happened.
  record_position bigint not null,
  -- Identifies the anomaly that the event is about, because each anomaly becomes one event.
  finding text,
  hash text not null,
  xml text not null,
  primary key (organization_id, environment, position),
  foreign key (organization_id, environment) references verifactu_chains
);

-- Restores of the installation from a backup, which the log of events names.
create view restorations as select restored_at from restored_copies;

create unique index verifactu_events_finding on verifactu_events (organization_id, environment, finding)
  where finding is not null;

create function refuse_event_change() returns trigger language plpgsql as $$
begin
  raise exception 'the events of invoice records are append-only';
end $$;

create trigger verifactu_events_append_only before update or delete on verifactu_events
  for each row execute function refuse_event_change();

-- context: administration
-- A restored copy must repeat nothing outside of itself, so its background work waits until somebody allows it.
create table restored_copies (
  restored_at timestamptz primary key default now(),
  resumed_at timestamptz
);

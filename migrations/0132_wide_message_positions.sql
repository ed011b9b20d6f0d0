-- context: einvoicing
-- The position counts the messages of all organizations, so it needs 64 bits like an id.
alter table einvoice_messages alter column position type bigint;

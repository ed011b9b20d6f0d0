-- context: identity

-- The columns of OAuth clients that the members of an organization see.
create view applications as select id, name, first_party from clients;

-- context: webhooks

-- The user who created the webhook, and the OAuth client with which they did so. Null for older webhooks, for those that
-- an API token of the organization created, and, without a client, for those of a personal token.
alter table webhooks add column created_by bigint, add column client_id uuid;

create index webhooks_of_clients on webhooks (client_id) where client_id is not null;

alter table webhooks drop constraint webhooks_disabled_reason_check;
alter table webhooks add constraint webhooks_disabled_reason_check
  check (disabled_reason in ('gone', 'failing', 'disconnected'));

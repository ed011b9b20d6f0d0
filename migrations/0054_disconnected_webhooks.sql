-- context: webhooks

-- True until the audit entry about the end of the access of the webhook's application is written.
alter table webhooks add column disconnection_unrecorded boolean not null default false;

create index webhooks_unrecorded on webhooks (organization_id) where disconnection_unrecorded;

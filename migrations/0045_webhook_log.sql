-- context: webhooks

-- Counts and filters the log of a webhook without reading the table. Earlier processes use this index, too.
create index webhook_attempts_logged on webhook_attempts (organization_id, webhook_id, id desc) include (status, event);

drop index webhook_attempts_listed;

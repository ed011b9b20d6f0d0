-- context: platform
-- A kept answer may hold a secret that is shown once. Only the service has the key: what was kept unsealed is forgotten.
delete from idempotency_keys;

alter table idempotency_keys drop column body, add column sealed_body text not null;

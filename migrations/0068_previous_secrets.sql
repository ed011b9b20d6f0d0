-- context: webhooks
-- A secret that was rotated away signs for a day, whatever is rotated after it. The latest comes first.
alter table webhooks add column previous_secrets jsonb not null default '[]';

update webhooks set previous_secrets = jsonb_build_array(jsonb_build_object(
  'secret', previous_secret,
  'until', to_char(previous_secret_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
where previous_secret is not null;

alter table webhooks drop column previous_secret, drop column previous_secret_until;

-- context: platform
-- Jobs of one queue take turns between organizations: a job that names one is offered with a visible_at behind the jobs
-- of its own organization and beside those of the others. Null for a job that waits in the order of its offer.
alter table jobs add column organization_id integer;
create index jobs_turns on jobs (queue_name, organization_id, visible_at)
  where state = 'pending' and organization_id is not null;

-- Contents whose PDF could not be made within the limits of time and memory, for all processes and across restarts.
create table pdf_failures (
  organization_id integer not null,
  -- SHA-256 of the template and its data.
  content bytea not null,
  failures integer not null,
  failed_at timestamptz not null,
  primary key (organization_id, content)
);
create index pdf_failures_failed_at on pdf_failures (failed_at);

-- context: organizations

-- Set by the final export of an archived organization, whose background work another installation does from then on;
-- null for all others. Reopening the organization clears it.
alter table organizations add column moved_at timestamptz;

create index organizations_moved on organizations (id) where moved_at is not null;

-- Organizations for which this installation does no background work that reaches networks, customers or webhooks.
create view moved_organizations as select id as organization_id from organizations where moved_at is not null;

-- context: organizations

-- The invitations that were mailed within the last day, also those that were cancelled since, so that nobody can make the
-- service write to a stranger without end. The next invitation of the organization removes older rows.
create table invitation_mails (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  created_at timestamptz not null default now()
);

create index invitation_mails_organization on invitation_mails (organization_id, created_at);
create index invitation_mails_user on invitation_mails (user_id, created_at);

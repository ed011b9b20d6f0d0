-- context: identity

-- The primary organization that the user had at the login. A renewal of the tokens that names no organization binds
-- them to it, so that a login does not move when the user gets another primary organization. Null for first-party
-- clients, and for logins of earlier versions, whose tokens stay bound to their organization.
alter table token_families add column primary_organization_id bigint;

-- The time of the first failure that is counted.
alter table login_failures add column first_at timestamptz not null default now();

-- context: organizations

-- The address to which the invitation was sent: the organization must not see another address of the invited person.
-- Null once the invitation was accepted, and for invitations that a process of the version before made.
alter table members add column invited_email text;

update members set invited_email = people.email
from people where people.id = members.user_id and members.status = 'invited';

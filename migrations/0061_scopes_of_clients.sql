-- context: identity

-- The access of clients to users that nobody has ended, even if all its tokens have expired, with the scopes that each
-- client has now.
create or replace view standing_access as
select f.user_id, f.client_id, c.scopes
from token_families f join clients c on c.id = f.client_id
where f.revoked_at is null;

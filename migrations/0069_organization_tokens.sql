-- context: identity
-- The administration lists them a page at a time; most tokens are of people.
create index tokens_organization on tokens (organization_id, id desc) where kind = 'organization' and revoked_at is null;

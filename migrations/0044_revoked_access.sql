-- context: identity

-- Tokens that were revoked, even if they have also expired. They are removed a day after they ended.
create view revoked_tokens as select id as token_id from tokens where revoked_at is not null;

-- The access of clients to users that nobody has ended, even if all its tokens have expired.
create view standing_access as select user_id, client_id from token_families where revoked_at is null;

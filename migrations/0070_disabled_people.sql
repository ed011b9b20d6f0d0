-- context: organizations

-- The columns of users that their organizations read. A disabled user does not count as an owner.
create or replace view people as select id, name, email, disabled_at from users;

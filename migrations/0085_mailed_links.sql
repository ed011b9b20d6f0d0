-- context: identity

-- False for a link that an operator made and passes to the user: only mailed links count for the limit of mails.
alter table password_resets add column is_mailed boolean not null default true;

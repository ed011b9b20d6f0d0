-- context: archive

-- The archive's index lists the objects that were archived last first. Positions cannot give this order: an object gets its
-- position when its transaction reaches the vault's row, for which it may have waited behind a later object.
create index archive_objects_archived on archive_objects (organization_id, archived_at, id);

-- context: identity

-- False for a link that an operator made and passes to the user: only mailed links count for the limit of mails.
alter table password_resets add column is_mailed boolean not null default true;

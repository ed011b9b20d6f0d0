-- context: archive

-- The archive's index lists the objects that were archived last first. Positions cannot give this order: an object gets its
-- position when its transaction reaches the vault's row, for which it may have waited behind a later object.
create index archive_objects_archived on archive_objects (organization_id, archived_at, id);

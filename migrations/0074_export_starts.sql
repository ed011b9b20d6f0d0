-- context: archive
-- Each start of an export writes an object of its own, so that one that was frozen replaces nothing: the row names that of
-- the latest start, and those of former ones until they are removed. Who ordered it is in the audit chain.
alter table archive_exports
  add column abandoned_keys text[] not null default '{}',
  drop column created_by;

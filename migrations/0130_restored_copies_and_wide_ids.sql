-- context: administration
-- A restored copy must repeat nothing outside of itself, so its background work waits until somebody allows it.
create table restored_copies (
  restored_at timestamptz primary key default now(),
  resumed_at timestamptz
);

-- context: organizations
-- Ids have 64 bits. A view or trigger that names a column keeps its type from being changed, so all of them are made anew.
create temporary table kept_definitions on commit drop as
  select row_number() over (order by kind, object) as place, definition, removal from (
    select 1 as kind, c.oid as object, format('create view %I as %s', c.relname, pg_get_viewdef(c.oid)) as definition,
      format('drop view %I cascade', c.relname) as removal
    from pg_class c where c.relkind = 'v' and c.relnamespace = current_schema()::regnamespace
    union all
    select 2, t.oid, pg_get_triggerdef(t.oid), format('drop trigger %I on %I', t.tgname, c.relname)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace) found;

drop index bank_matches_booked_refunds;

do $$
declare
  statement text;
begin
  for statement in select removal from kept_definitions order by place desc loop
    execute statement;
  end loop;
  for statement in
    select format('alter table %I %s', table_name, string_agg(
      format('alter column %I type bigint%s', column_name, case data_type when 'ARRAY' then '[]' else '' end), ', '))
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and (data_type = 'integer' and column_name ~ '(^|_)id$|^created_by$' or udt_name = '_int4' and column_name ~ '_ids$')
    group by table_name order by table_name
  loop
    execute statement;
  end loop;
  for statement in select definition from kept_definitions order by place loop
    execute statement;
  end loop;
end
$$;

create index bank_matches_booked_refunds on bank_matches using gin (booked_refund_ids)
  where booked_refund_ids <> '{}' and undone_at is null;

drop function require_known_lock;
create function require_known_lock(organization bigint, known date) returns boolean language plpgsql as $$
declare
  locked_until date;
begin
  select (settings ->> 'books_locked_until')::date into locked_until from organizations where id = organization;
  if locked_until > coalesce(known, '-infinity') then
    raise exception 'the books of organization % were locked meanwhile', organization
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;
alter sequence invoice_item_ids as bigint;

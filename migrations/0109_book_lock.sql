-- context: organizations
-- A writer checks the lock date that it read when its request began. This function runs after the writer has locked the
-- audit log, which every move of the lock date also locks, so that it sees a later date that is already committed. The
-- request then fails like a serialization failure, and its repetition is checked with the later date.
create function require_known_lock(organization integer, known date) returns boolean language plpgsql as $$
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

-- context: organizations

-- The service knew some time zones that PostgreSQL does not know, so reports failed. Each becomes a zone with the same
-- clock. The service now asks PostgreSQL before it stores a zone.
update organizations o set timezone = zone.name
from (values
  ('US/Pacific-New', 'America/Los_Angeles'), ('Canada/East-Saskatchewan', 'America/Regina'),
  ('SystemV/AST4', 'America/Puerto_Rico'), ('SystemV/AST4ADT', 'America/Halifax'),
  ('SystemV/EST5', 'America/Panama'), ('SystemV/EST5EDT', 'America/New_York'),
  ('SystemV/CST6', 'America/Regina'), ('SystemV/CST6CDT', 'America/Chicago'),
  ('SystemV/MST7', 'America/Phoenix'), ('SystemV/MST7MDT', 'America/Denver'),
  ('SystemV/PST8', 'Pacific/Pitcairn'), ('SystemV/PST8PDT', 'America/Los_Angeles'),
  ('SystemV/YST9', 'Pacific/Gambier'), ('SystemV/YST9YDT', 'America/Anchorage'),
  ('SystemV/HST10', 'Pacific/Honolulu')) as zone (unknown, name)
where lower(o.timezone) = lower(zone.unknown);

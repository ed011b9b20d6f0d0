-- context: organizations

-- The service knows some abbreviations as time zones. PostgreSQL takes some of them for fixed offsets without summer time
-- (CET), others for another zone (IST), so reports had other days than the service. Each becomes the zone that it was for
-- the service, which no longer accepts abbreviations.
update organizations o set timezone = zone.name
from (values
  ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
  ('ART', 'Africa/Cairo'), ('AST', 'America/Anchorage'), ('BET', 'America/Sao_Paulo'), ('BST', 'Asia/Dhaka'),
  ('CAT', 'Africa/Maputo'), ('CET', 'Europe/Brussels'), ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'),
  ('CTT', 'Asia/Shanghai'), ('EAT', 'Africa/Nairobi'), ('ECT', 'Europe/Paris'), ('EET', 'Europe/Athens'),
  ('EST', 'America/Panama'), ('HST', 'Pacific/Honolulu'), ('IET', 'America/Indiana/Indianapolis'),
  ('IST', 'Asia/Kolkata'), ('JST', 'Asia/Tokyo'), ('MET', 'Europe/Brussels'), ('MIT', 'Pacific/Apia'),
  ('MST', 'America/Phoenix'), ('NET', 'Asia/Yerevan'), ('NST', 'Pacific/Auckland'), ('PLT', 'Asia/Karachi'),
  ('PNT', 'America/Phoenix'), ('PRC', 'Asia/Shanghai'), ('PRT', 'America/Puerto_Rico'),
  ('PST', 'America/Los_Angeles'), ('ROC', 'Asia/Taipei'), ('ROK', 'Asia/Seoul'), ('SST', 'Pacific/Guadalcanal'),
  ('UCT', 'UTC'), ('VST', 'Asia/Ho_Chi_Minh'), ('WET', 'Europe/Lisbon')) as zone (abbreviation, name)
where upper(o.timezone) = zone.abbreviation;

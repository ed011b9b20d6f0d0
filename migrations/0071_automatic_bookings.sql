-- context: banking

-- The lines that automatic rules are still to book. It is only filled until the rules have been applied to them, and
-- then shows after a crash which lines are left.
alter table bank_imports add column unbooked bigint[] not null default '{}';

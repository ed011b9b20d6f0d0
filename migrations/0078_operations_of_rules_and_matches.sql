-- context: banking

-- The keyed request that created the rule, or the document of the match, so that its repetition after a crash finds them.
-- Null for a request without a key, and for all earlier ones.
alter table bank_rules add column operation text;
create unique index bank_rules_operation on bank_rules (organization_id, operation) where operation is not null;
alter table bank_matches add column operation text;

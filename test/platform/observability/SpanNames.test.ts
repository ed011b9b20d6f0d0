import { expect, it } from "vitest"
import { statementName } from "../../../src/platform/observability/SpanNames.ts"

it.each([
  ["create table quotes (id bigint)", "CREATE TABLE quotes"],
  ["create unique index if not exists quotes_number on quotes (number)", "CREATE INDEX quotes_number"],
  [
    "create or replace function note() returns trigger as $$ begin insert into notes values (1); end $$",
    "CREATE FUNCTION note"
  ],
  ["alter table only quotes add column title text", "ALTER TABLE quotes"],
  ["drop view if exists debtors", "DROP VIEW debtors"],
  ["with paid as (update invoices set paid = true) select 1", "UPDATE invoices"],
  ["select id from quotes for update", "SELECT quotes"],
  ["begin", "BEGIN"]
])("names the span of %s", (text, name) => {
  expect(statementName(text)).toBe(name)
})

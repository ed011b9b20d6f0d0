import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { testDatabase } from "../../support/database/Postgres.ts"

/** Tables whose rows belong to no organization, each with the reason. */
const shared: Readonly<Record<string, string>> = {
  effect_sql_migrations: "The register of the schema itself.",
  migration_files: "What the files of that register held when they were applied.",
  jobs: "A queue of effect's; a job carries ids, and its handler reads the record within its organization.",
  jobs_migrations: "The register of that queue.",
  rate_windows: "Counts by user, token or address, before an organization is known.",
  organizations: "Is what the others name.",
  users: "A person may be a member of several organizations.",
  clients: "An OAuth client serves the users of all organizations.",
  token_families: "What a user granted to a client, whatever organizations the user is in.",
  tokens: "A user's token need not be bound to an organization; one of an organization is, by a check.",
  authorization_codes: "A user signs in before an organization is chosen.",
  sessions: "A user signs in before an organization is chosen.",
  login_failures: "Counts by account and network, before an organization is known.",
  login_devices: "A user signs in before an organization is chosen.",
  email_changes: "A user logs in with one address, whatever the organization.",
  password_resets: "A user signs in before an organization is chosen.",
  second_factors: "A user signs in before an organization is chosen.",
  recovery_codes: "A user signs in before an organization is chosen.",
  restored_copies: "Of the whole installation, which is restored as a whole.",
  setup_links: "Opens the first organization of an installation.",
  network_entities: "The simulated network's own: it knows participants.",
  network_addresses: "The simulated network's own: it knows participants.",
  network_transmissions: "The simulated network's own: it knows participants.",
  network_messages: "The simulated network's own: it knows participants.",
  network_inbox: "The simulated network's own: it knows participants."
}

/** Columns that end in `_id` but do not belong to a foreign key with organization_id, each with the reason. */
const unkeyed: Readonly<Record<string, string>> = {
  "outbox.event_id": "Names the row itself.",
  "webhook_attempts.event_id": "The event may be cleared away before its attempt is.",
  "members.user_id": "Users are of no one organization.",
  "invitation_mails.user_id": "Users are of no one organization.",
  "webhooks.client_id": "OAuth clients belong to the installation.",
  "document_links.document_id": "Of one of three tables, which `document` says; read by organization and id.",
  "document_sendings.document_id": "Of one of three tables, which `document` says; read by organization and id.",
  "document_sends.document_id": "Of one of three tables, which `document` says; read by organization and id.",
  "document_mails.message_id": "The Message-ID that the message bears.",
  "document_correspondents.document_id": "Of one of three tables, which `document` says; read by organization and id.",
  "archive_incidents.object_id": "The row of an object may be gone, which is what the incident is about.",
  "archive_deposits.document_id": "Of one of two tables, which `document_type` says; read by organization and id.",
  "archive_objects.document_id": "Kept for years, whatever becomes of the document that `document_type` says.",
  "archive_transmissions.document_id": "Kept for years, whatever becomes of the document that `document_type` says.",
  "incoming_flows.flow_id": "Names the row itself, as the platform does.",
  "level_responses.message_id": "Names the row itself, as the access point does.",
  "level_responses.envelope_id": "Names the envelope, as the access point does.",
  "invoice_responses.message_id": "Names the row itself, as the access point does.",
  "einvoices.transmission_id": "Names the row itself, for the network.",
  "sdi_files.message_id": "The Message-ID that the mail bears.",
  "sdi_files.transmission_id": "Names the document, for the network.",
  "sdi_messages.message_id": "The Message-ID of a mail in the organization's mailbox.",
  "sdi_messages.sdi_id": "What the authority calls the document.",
  "provider_submissions.transmission_id": "Names the document, for the provider.",
  "unread_arrivals.transmission_id": "Names the document, as the network does.",
  "verifactu_records.transmission_id": "Names the document, for the provider.",
  "received_documents.transmission_id": "Names the document, as the network does.",
  "einvoice_messages.message_id": "Names the row itself, as the network does.",
  "einvoicing_registrations.tax_reference_id": "What a tax authority knows the organization by.",
  "sales_entries.document_id": "A trigger takes it from an invoice or a credit note, with the organization.",
  "sales_entries.customer_id": "A trigger takes it from the document, whose own key carries the organization.",
  "deleted_bank_transactions.bank_account_id": "Copied from the deleted line, whose own key carried the organization.",
  "expenses.billed_item_id": "A line inside the invoice that `billed_invoice_id` names.",
  ...Object.fromEntries(
    ["customers", "contacts", "invoices", "quotes", "credit_notes", "payments", "expenses"].map((table) => [
      `${table}.external_id`,
      "What a client's own system calls the record."
    ])
  )
}

/** Finds tables, keys and columns by which a row of one organization could refer to another's. */
const mistakes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keyless = yield* sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull)
    order by 1`
  const tables = keyless.flatMap(({ name }) => (name in shared ? [] : [`${name} has no organization_id not null`]))

  // Between two tables that both have organization_id, the key must include that column on both sides.
  const loose = yield* sql<{ mistake: string }>`
    with owned as (
      select attrelid as oid, attnum from pg_attribute
      where attname = 'organization_id' and attnotnull)
    select k.conrelid::regclass || '.' || k.conname || ' does not carry organization_id' as mistake
    from pg_constraint k join owned a on a.oid = k.conrelid join owned b on b.oid = k.confrelid
    where k.contype = 'f'
      and not exists (select 1 from unnest(k.conkey, k.confkey) as pair (here, there)
        where pair.here = a.attnum and pair.there = b.attnum)
    union all
    select k.conrelid::regclass || '.' || k.conname || ' refers to organizations by another column'
    from pg_constraint k join owned a on a.oid = k.conrelid
    where k.contype = 'f' and k.confrelid = 'organizations'::regclass and k.conkey <> array[a.attnum]
    order by 1`

  const dangling = yield* sql<{ name: string }>`
    select a.attrelid::regclass || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not a.attisdropped
      and right(a.attname::text, 3) = '_id' and a.attname <> 'organization_id'
      and exists (select 1 from pg_attribute o
        where o.attrelid = c.oid and o.attname = 'organization_id' and o.attnotnull)
      and not exists (select 1 from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey) and cardinality(k.conkey) > 1)
    order by 1`
  const columns = dangling.flatMap(({ name }) => (name in unkeyed ? [] : [`${name} is no foreign key`]))

  const narrow = yield* sql<{ mistake: string }>`
    select a.attrelid::regclass || '.' || a.attname || ' is narrower than the ids of records' as mistake
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not a.attisdropped
      and a.atttypid in ('smallint'::regtype, 'integer'::regtype, 'integer[]'::regtype)
      and (a.attidentity <> '' or a.attname ~ '(^|_)ids?$' or a.attname = 'created_by') and a.attname <> 'migration_id'
      and a.attrelid <> 'migration_files'::regclass
    order by 1`
  const found = [...tables, ...[...loose, ...narrow].map(({ mistake }) => mistake), ...columns]
  return { found, keyless, dangling }
})

layer(testDatabase)("the schema", (it) => {
  it.effect("keeps every row in one organization, and its references within the same one", () =>
    Effect.gen(function* () {
      const { dangling, found, keyless } = yield* mistakes
      assert.deepStrictEqual(found, [])
      // An unneeded entry would also excuse a new table or column of the same name.
      const listed = [...Object.keys(shared), ...Object.keys(unkeyed)]
      const used = [...keyless, ...dangling].map(({ name }) => name)
      assert.deepStrictEqual(
        listed.filter((name) => !used.includes(name)),
        []
      )
    })
  )

  it.effect("has a retention in the administration guide for every table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`
        select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
      const guide = readFileSync("src/docs/guides/administration.md", "utf8")
      const [, growth = ""] = /^## Growth$(.*?)^## /ms.exec(guide) ?? []
      const listed = new Set([...growth.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
      const metrics = ["pruned_rows_total", "table_bytes"]
      assert.deepStrictEqual(listed, new Set([...metrics, ...tables.map(({ name }) => name)]))
    })
  )

  it.effect("fails this check with a table, a key or a column without the organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table ledgers (id bigint primary key, amount numeric)`
      yield* sql`create table ledgers_of_anybody (id bigint primary key, organization_id bigint references organizations)`
      yield* sql`
        create table reminders (
          id bigint primary key,
          organization_id bigint not null,
          other_organization_id bigint references organizations,
          swapped bigint,
          customer_id integer,
          foreign key (swapped, organization_id) references invoices (organization_id, id))`
      yield* sql`alter table expenses add constraint by_id_alone foreign key (billed_item_id) references webhook_lanes`
      const { found } = yield* mistakes
      assert.deepStrictEqual(found, [
        "ledgers has no organization_id not null",
        "ledgers_of_anybody has no organization_id not null",
        "expenses.by_id_alone does not carry organization_id",
        "reminders.reminders_other_organization_id_fkey refers to organizations by another column",
        "reminders.reminders_swapped_organization_id_fkey does not carry organization_id",
        "reminders.customer_id is narrower than the ids of records",
        "reminders.customer_id is no foreign key",
        "reminders.other_organization_id is no foreign key"
      ])
    }).pipe(Effect.provide(testDatabase, { local: true }))
  )
})

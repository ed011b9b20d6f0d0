import { Effect } from "effect"
import { type Table, tablesOf } from "../../platform/backup/Catalogue.ts"
import type { CopySession } from "../../platform/backup/CopySession.ts"

const of_processes = "A lease of a process of the source."
const of_users = "Belongs to a person, who may be in several organizations."
const of_the_installation = "Belongs to the installation."
const of_the_sandbox = "Belongs to the simulated network."

/** The tables that are not moved, each with the reason. All other tables with an organization id are moved. */
export const not_moved: Readonly<Record<string, string>> = {
  archive_proofs: "The source signed the result of its proof; the import makes its own proof.",
  document_sendings: of_processes,
  einvoicing_changes: of_processes,
  idempotency_keys: "Returns that are kept for a day and sealed with a key of the source.",
  pdf_failures: "Forgotten after 15 minutes.",
  invitation_mails: "Counts the mails of the last day.",
  jobs: "The source does its waiting work itself; the export counts it.",
  users: "Accounts are found by their email address, or made without a password.",
  authorization_codes: of_users,
  login_devices: of_users,
  login_failures: of_users,
  password_resets: of_users,
  email_changes: of_users,
  recovery_codes: of_users,
  second_factors: of_users,
  sessions: of_users,
  token_families: of_users,
  clients: of_the_installation,
  jobs_migrations: of_the_installation,
  rate_windows: of_the_installation,
  restored_copies: of_the_installation,
  setup_links: of_the_installation,
  network_addresses: of_the_sandbox,
  network_entities: of_the_sandbox,
  network_inbox: of_the_sandbox,
  network_messages: of_the_sandbox,
  network_transmissions: of_the_sandbox
}

/** Columns that number the rows of all organizations together. The target installation assigns new numbers in them. */
const numbered_by_target: Readonly<Record<string, string>> = { outbox: "position" }

export const movedTables = (session: CopySession, organization_id: number) =>
  Effect.map(tablesOf(session), (tables) =>
    tables.flatMap((table): ReadonlyArray<Table & { readonly where: string }> => {
      if (table.name in not_moved) return []
      const columns = table.columns.filter((column) => column !== numbered_by_target[table.name])
      return [{ ...table, columns, where: `${ownerOf(table.name)} = ${organization_id}` }]
    })
  )

export type MovedTables = ReadonlyArray<Table & { readonly where: string }>

const ownerOf = (table: string) => {
  if (table === "organizations") return "id"
  // Personal tokens belong to users and do not move.
  return table === "tokens" ? "kind = 'organization' and organization_id" : "organization_id"
}

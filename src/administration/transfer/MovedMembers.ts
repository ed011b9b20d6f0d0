import { Array, Effect, Schema } from "effect"
import { literal, quoted } from "../../platform/backup/Catalogue.ts"
import type { CopySession } from "../../platform/backup/CopySession.ts"
import type { MovedOrganization } from "../../platform/backup/Manifest.ts"
import { addressSpellings } from "../../platform/mail/AddressSpelling.ts"
import type { MovedTables } from "./MovedTables.ts"

type Account = {
  readonly email: string
  readonly from: number
  readonly to: number
  readonly is_new: boolean
}

type User = MovedOrganization["users"][number]

/** The driver returns the `bigint` column as text. */
const Found = Schema.Struct({ id: Schema.FiniteFromString })

/**
 * Finds or creates the accounts of the members, and replaces the user ids of the source installation. A new account has
 * no password until its user requests a link by mail. The id of a former member in a record becomes null.
 */
export const moveMembers = Effect.fn("MovedMembers.move")(function* (
  session: CopySession,
  tables: MovedTables,
  organization: MovedOrganization
) {
  const accounts: ReadonlyArray<Account> = yield* Effect.forEach(organization.users, (user) =>
    accountOf(session, organization.id, user)
  )
  const pairs = [...accounts.map(({ from, to }) => `(${from}::bigint, ${to}::bigint)`), "(null, null)"].join(", ")
  const known = (column: string) => `(select here from (values ${pairs}) a (there, here) where there = ${column})`
  // The ids change in two steps, with negative ids between: in one step, a row could get the old id of another row.
  yield* session.run(`update members set user_id = -${known("user_id")} where organization_id = ${organization.id}`)
  yield* session.run(`update members set user_id = -user_id where organization_id = ${organization.id}`)
  for (const { columns, name, where } of tables) {
    if (!columns.includes("created_by")) continue
    const author = known("created_by")
    yield* session.run(
      `update ${quoted(name)} set created_by = ${author} where ${where} and created_by is distinct from ${author}`
    )
  }
  return accounts
})

const accountOf = Effect.fnUntraced(function* (session: CopySession, organization_id: number, user: User) {
  const { email, id: from } = user
  const spellings = addressSpellings(email).map((spelling) => `lower(${literal(spelling)})`)
  const [found] = yield* session.rows(
    Found,
    `select id from users where lower(email) in (${spellings.join(", ")})
     order by lower(email) = lower(${literal(email)}) desc limit 1`
  )
  if (found !== undefined) return { email, from, to: found.id, is_new: false }
  const language = user.language === null ? "null" : literal(user.language)
  const disabled_at = user.is_disabled ? "now()" : "null"
  const values = `${literal(user.name)}, ${literal(email)}, ${language}, ${organization_id}, ${disabled_at}`
  const made = yield* session.rows(
    Found,
    `insert into users (name, email, language, primary_organization_id, disabled_at) values (${values}) returning id`
  )
  const { id: to } = yield* Effect.orDie(Effect.fromOption(Array.head(made)))
  return { email, from, to, is_new: true }
})

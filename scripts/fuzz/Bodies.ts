import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { operations } from "../../test/contract/document/OpenApi.ts"
import { example, resolved, type Schema, slot } from "./Examples.ts"
import { contentTypes, rawBodies, strings } from "./hostile/Hostile.ts"
import { type Form, forms } from "./hostile/HostileForms.ts"
import { statements } from "./hostile/HostileStatements.ts"
import { mutations, withMutations } from "./Mutations.ts"
import { isRecord, Pairs, type Slot } from "./Values.ts"

export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "raw"; readonly text: string; readonly type: string }
  | { readonly kind: "form"; readonly fields: ReadonlyArray<readonly [string, unknown]> }
  | { readonly kind: "multipart"; readonly form: Form }

type Operation = (typeof operations)[number]

const contentOf = ({ requestBody }: Pick<Operation, "requestBody">) =>
  (requestBody?.content ?? {}) as Readonly<Record<string, { readonly schema: Schema } | undefined>>

const jsonOf = (operationId: string): Arbitrary<unknown> => {
  const operation = operations.find((candidate) => candidate.operationId === operationId)
  const schema = contentOf(operation ?? {})["application/json"]?.schema ?? {}
  return example(schema, operationId, "")
}

const few = <A>(arbitrary: Arbitrary<A>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 })
const flag = fc.constantFrom(true, false, null)

const passwordGrant = fc.record({
  grant_type: fc.constant("password"),
  client_id: slot("clients", "id"),
  username: slot("people", "email"),
  password: slot("people", "password")
})
const refreshGrant = fc.record({
  grant_type: fc.constant("refresh_token"),
  client_id: slot("clients", "id"),
  refresh_token: slot("tokens", "refresh_token")
})
const codeGrant = fc.record({
  grant_type: fc.constant("authorization_code"),
  client_id: slot("clients", "id"),
  redirect_uri: slot("clients", "redirect_uri"),
  code: fc.constantFrom("", "code", "a".repeat(8_192)),
  code_verifier: fc.constant("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
})
const revocation = fc.record(
  {
    token: fc.oneof(slot("tokens", "refresh_token"), slot("tokens", "access_token")),
    client_id: slot("clients", "id"),
    token_type_hint: fc.constantFrom("refresh_token", "access_token", "nonsense")
  },
  { requiredKeys: ["token", "client_id"] }
)

/** A condition of a bank rule. The OpenAPI document does not declare the type of conditions. */
const condition = fc.oneof(
  fc.record({
    type: fc.constantFrom("remittance_contains", "counterparty_equals", "reference_equals", "remittance_regex"),
    value: fc.oneof(fc.constantFrom("fees", "Beta", "a+", "(a|b)*c", "[a-z]{1,9}"), fc.constantFrom(...strings)),
    negate: flag
  }),
  fc.record({ type: fc.constantFrom("amount_min", "amount_max"), value: fc.integer({ min: 0, max: 1_000 }) })
)

/** A bank rule. Bodies are otherwise made from the schema, but the conditions made from it would never be valid. */
const bankRule = fc.record(
  {
    name: fc.constantFrom("Fees", "Café Zürich"),
    direction: fc.constantFrom("debit", "credit", "any"),
    priority: fc.integer({ min: 1, max: 9 }),
    auto_add: flag,
    conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
    actions: fc.record({ category: fc.constant("bank_fees"), description: fc.constantFrom(...strings) })
  },
  { requiredKeys: ["name", "conditions", "actions"] }
)

const allocation = fc.oneof(
  ...["invoice_id", "expense_id"].map((name) =>
    fc.record<Record<string, unknown>>(
      { [name]: slot(`${name.slice(0, -3)}s`), amount: fc.constantFrom<unknown>(1, "0.01") },
      { requiredKeys: [name] }
    )
  )
)

/** The credit note usually has an amount, because requests seldom guess ids of lines that the invoice has. */
const creditNote = (operationId: string) =>
  fc.tuple(jsonOf(operationId), fc.constantFrom("items", "items", "items", "amount")).map(([all, left_out]) => {
    const fields = isRecord(all) ? Object.entries(all) : []
    return Object.fromEntries(fields.filter(([name]) => name !== left_out))
  })

const composed: Readonly<Record<string, () => Arbitrary<unknown>>> = {
  "batch.createInvoices": () => fc.record({ invoices: few(jsonOf("invoices.create")), atomic: flag }),
  "batch.updateInvoices": () =>
    fc.record({
      updates: few(
        fc
          .tuple(slot("invoices"), jsonOf("invoices.update"))
          .map(([id, all]) => ({ ...(isRecord(all) ? all : {}), id }))
      ),
      atomic: flag
    }),
  "bankRules.create": () => bankRule,
  "bankRules.update": () => bankRule,
  "bankTransactions.match": () =>
    fc.oneof(
      { weight: 3, arbitrary: allocation },
      { weight: 1, arbitrary: fc.record({ allocations: few(allocation) }) }
    ),
  "creditNotes.create": () => creditNote("creditNotes.create"),
  "creditNotes.update": () => creditNote("creditNotes.update"),
  "oauth.token": () => fc.oneof(passwordGrant, refreshGrant, codeGrant),
  "oauthExtensions.revoke": () => revocation
}

export const raw: Arbitrary<Body> = fc.record({
  kind: fc.constant("raw" as const),
  text: fc.constantFrom(...rawBodies),
  type: fc.oneof(fc.constant("application/json"), fc.constantFrom(...contentTypes))
})

const multipart = (operationId: string, schema: Schema): Arbitrary<Body> => {
  // Each alternative schema has the file in a different field. The other fields are the same in all alternatives.
  const alternatives = resolved(schema).anyOf ?? [schema]
  const properties = alternatives.map((alternative) => resolved(alternative).properties)
  const fields = Object.entries<Schema>(Object.assign({}, ...properties))
  const files = fields.flatMap(([name, { format }]) => (format === "binary" ? [name] : []))
  const plain = fields.filter(([, { format }]) => format !== "binary").map(([name]) => name)
  const texts = plain.map(
    (name) =>
      [
        name,
        fc.oneof({ weight: 6, arbitrary: named(name) }, { weight: 1, arbitrary: fc.constantFrom(...strings) })
      ] as const
  )
  const wanted = operationId === "bankAccounts.importStatement" ? statements : undefined
  return forms(files, Object.fromEntries(texts), wanted).map((form) => ({ kind: "multipart", form }))
}

const plausible: Readonly<Record<string, ReadonlyArray<string>>> = {
  format: ["auto", "auto", "auto", "auto", "csv", "camt053", "coda"],
  dry_run: ["true", "false"],
  strict: ["true", "false"],
  mapping: ["{}", '{"delimiter":";","date_format":"DD/MM/YYYY","decimal_separator":","}']
}

const named = (name: string): Arbitrary<string | Slot> =>
  name.endsWith("_id")
    ? slot(`${name.slice(0, -3)}s`)
    : fc.constantFrom(...(plausible[name] ?? ["Signed", "Café Zürich"]))

const fieldsOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  value instanceof Pairs ? value.entries : isRecord(value) ? Object.entries(value) : [["", value]]

const often = (arbitrary: Arbitrary<Body>): Arbitrary<Body> =>
  fc.oneof({ weight: 24, arbitrary }, { weight: 1, arbitrary: raw })

/** Usually a plausible body of the operation with at most one mutation; sometimes a body that no operation accepts. */
export const bodyOf = (operation: Operation): Arbitrary<Body> => {
  const content = contentOf(operation)
  const form = content["multipart/form-data"]
  if (form !== undefined) return often(multipart(operation.operationId, form.schema))
  const json = content["application/json"]
  if (json === undefined) return often(fc.constant({ kind: "none" }))
  const plausible = composed[operation.operationId]?.() ?? example(json.schema, operation.operationId, "")
  const value = fc.tuple(plausible, mutations).map(([body, changes]) => withMutations(body, changes))
  const asJson = value.map((sent): Body => ({ kind: "json", value: sent }))
  if (content["application/x-www-form-urlencoded"] === undefined) return often(asJson)
  const asForm = value.map((sent): Body => ({ kind: "form", fields: fieldsOf(sent) }))
  return often(fc.oneof({ weight: 2, arbitrary: asForm }, { weight: 1, arbitrary: asJson }))
}

import { assert, describe, it } from "vitest"
import { race, statuses, useBilling } from "../../support/Billing.ts"
import { openAccount } from "../Books.ts"

const { app, open } = useBilling()

const rule = (changes: object = {}) => ({
  name: "Bank fees",
  direction: "debit",
  conditions: [{ type: "remittance_contains", value: "frais" }],
  actions: { document_type: "expense", category: "bank_fees" },
  ...changes
})

describe("/api/v1/bank-rules", () => {
  it("creates, changes and removes rules, and lists them by priority and id", async () => {
    const { call, made } = await open()
    const late = await made("POST", "/bank-rules", rule({ priority: 20 }))
    const early = await made("POST", "/bank-rules", rule({ priority: 10, name: "First" }))
    const twin = await made("POST", "/bank-rules", rule({ priority: 10, auto_add: true }))
    assert.deepEqual([late.is_active, late.auto_add, late.bank_account_id], [true, false, null])
    const ids = async () => (await made("GET", "/bank-rules")).map(({ id }: { readonly id: number }) => id)
    assert.deepEqual(await ids(), [early.id, twin.id, late.id])
    const changed = await made("PUT", `/bank-rules/${late.id}`, rule({ priority: 1, is_active: false }))
    assert.deepEqual([changed.priority, changed.is_active, changed.version], [1, false, 2])
    assert.deepEqual(await made("GET", `/bank-rules/${late.id}`), changed)
    assert.deepEqual(await made("DELETE", `/bank-rules/${early.id}`), { id: early.id })
    assert.deepEqual(await ids(), [late.id, twin.id])
    assert.equal((await call("GET", `/bank-rules/${early.id}`)).status, 404)
  })

  it("creates no more than 500 rules, even if several are requested at the same time", async () => {
    const { call, id, made } = await open()
    await made("POST", "/bank-rules", rule())
    const columns =
      "organization_id, name, is_active, direction, conditions, actions, auto_add, priority, created_at, updated_at"
    await app.inDatabase(`insert into bank_rules (${columns})
      select ${columns} from bank_rules, generate_series(1, 498) where organization_id = ${id}`)
    assert.deepEqual(statuses(await race(6, () => call("POST", "/bank-rules", rule()))), { 201: 1, 422: 5 })
  })

  it("treats null like an absent field", async () => {
    const { made } = await open()
    const nothing = { is_active: null, bank_account_id: null, auto_add: null, priority: null }
    const stored = await made("POST", "/bank-rules", rule({ ...nothing, direction: null }))
    const { auto_add, direction, is_active, priority } = stored
    assert.deepEqual([is_active, direction, auto_add, priority], [true, "any", false, 100])
    await made("PUT", `/bank-rules/${stored.id}`, rule({ is_active: false, auto_add: true, priority: 7 }))
    const kept = await made("PUT", `/bank-rules/${stored.id}`, rule({ ...nothing, direction: null }))
    assert.deepEqual([kept.is_active, kept.direction, kept.auto_add, kept.priority], [false, "debit", true, 7])
  })

  it("refuses invalid rules and stores nothing", async () => {
    const { call, made } = await open()
    const refused = async (body: object) => {
      const answer = await call("POST", "/bank-rules", body)
      assert.equal(answer.status, 422)
      return Object.keys(answer.body.errors)
    }
    assert.deepEqual(await refused(rule({ conditions: [{ type: "moon_phase", value: "full" }] })), ["conditions.0"])
    assert.deepEqual(await refused(rule({ conditions: [] })), ["conditions"])
    assert.deepEqual(await refused(rule({ conditions: [{ type: "remittance_regex", value: "(" }] })), [
      "conditions.0.value"
    ])
    assert.deepEqual(await refused(rule({ conditions: [{ type: "reference_equals", value: "—" }] })), [
      "conditions.0.value"
    ])
    assert.deepEqual(await refused(rule({ actions: {} })), ["actions"])
    assert.deepEqual(await refused(rule({ direction: "credit" })), ["actions.document_type"])
    for (const vat_deductible_percentage of [1e21, 100.01, -1, 33.3333333, 5e-324]) {
      const actions = { category: "bank_fees", vat_deductible_percentage }
      assert.deepEqual(await refused(rule({ actions })), ["actions.vat_deductible_percentage"])
    }
    assert.deepEqual(await refused({}), ["name", "conditions", "actions"])
    assert.deepEqual(await made("GET", "/bank-rules"), [])
  })

  it("answers 404 for an account or a counterparty of another organization, and changes nothing", async () => {
    const ours = await open()
    const theirs = await open()
    const foreign_account = await openAccount(app, theirs.id)
    const own = await ours.made("POST", "/bank-rules", rule({ actions: { counterparty_id: ours.customer_id } }))
    const bodies = [
      rule({ bank_account_id: foreign_account }),
      rule({ actions: { counterparty_id: theirs.customer_id } })
    ]
    for (const body of bodies) {
      assert.equal((await ours.call("POST", "/bank-rules", body)).status, 404)
      assert.equal((await ours.call("PUT", `/bank-rules/${own.id}`, body)).status, 404)
    }
    assert.equal((await theirs.call("PUT", `/bank-rules/${own.id}`, rule())).status, 404)
    assert.equal((await theirs.call("DELETE", `/bank-rules/${own.id}`)).status, 404)
    assert.deepEqual(await ours.made("GET", "/bank-rules"), [own])
  })

  it("lets a rule whose customer was deleted change, but names the deleted customer in no other rule", async () => {
    const { call, customer_id, made } = await open()
    const named = rule({ direction: "any", actions: { counterparty_id: customer_id } })
    const stored = await made("POST", "/bank-rules", named)
    const other = await made("POST", "/bank-rules", rule())
    await made("DELETE", `/customers/${customer_id}`)
    const { body, status } = await call("PUT", `/bank-rules/${stored.id}?dry_run=true`, stored)
    assert.deepEqual([status, body.data], [200, { transaction_ids: [] }])
    assert.deepEqual(await made("PUT", `/bank-rules/${stored.id}`, stored), stored)
    const inactive = await made("PUT", `/bank-rules/${stored.id}`, { ...stored, is_active: false })
    assert.deepEqual([inactive.is_active, inactive.actions], [false, stored.actions])
    assert.equal((await call("POST", "/bank-rules", named)).status, 404)
    assert.equal((await call("PUT", `/bank-rules/${other.id}`, named)).status, 404)
  })
})

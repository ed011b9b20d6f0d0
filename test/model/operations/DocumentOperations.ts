import * as fc from "fast-check"
import {
  at,
  bodyOf,
  changed,
  changesOf,
  flag,
  kinds,
  operation,
  pick,
  post,
  put,
  remove,
  terms,
  termsOf
} from "./Operation.ts"
import type { Customer } from "../Records.ts"

export const documentOperations = [
  operation("create a customer", { email: flag }, ({ email }) => {
    const known = { name: "Beta", email, deleted: false }
    const customer = (): Customer => ({ id: 0, kind: "customer", ...known })
    const body = { name: "Beta", ...(email ? { email: "ap@beta.example" } : {}) }
    return post("/customers", (model) => model.createCustomer(customer()), body)
  }),
  operation("rename", { customer: pick, name: fc.constantFrom("Gamma", "Delta") }, ({ customer, name }, { find }) => {
    const target = find("customer", customer)
    return put(at("customer", target), { name }, (model) => model.renameCustomer(target, name))
  }),

  operation("create an invoice", terms, (drawn, world) => {
    const given = termsOf(drawn, world)
    const body = { currency: world.currency, ...bodyOf(given, "due_date", world) }
    return post("/invoices", (model) => model.createInvoice(given), body)
  }),
  operation("create a quote", terms, (drawn, world) => {
    const given = termsOf(drawn, world)
    const body = { currency: world.currency, ...bodyOf(given, "valid_until", world) }
    return post("/quotes", (model) => model.createQuote(given), body)
  }),
  operation("change an invoice", { ...terms, invoice: pick, which: changed }, ({ invoice, which, ...drawn }, world) => {
    const target = world.find("invoice", invoice)
    const changes = changesOf(which, termsOf(drawn, world))
    const body = bodyOf(changes, "due_date", world)
    return put(at("invoice", target), body, (model) => model.updateInvoice(target, changes))
  }),
  operation("change a quote", { ...terms, quote: pick, which: changed }, ({ quote, which, ...drawn }, world) => {
    const target = world.find("quote", quote)
    const changes = changesOf(which, termsOf(drawn, world))
    const body = bodyOf(changes, "valid_until", world)
    return put(at("quote", target), body, (model) => model.updateQuote(target, changes))
  }),

  ...(
    [
      ["duplicate", "duplicateInvoice"],
      ["mark-sent", "markSent"]
    ] as const
  ).map(([action, rule]) =>
    operation(`${action} an invoice`, { invoice: pick }, ({ invoice }, { find }) => {
      const target = find("invoice", invoice)
      return post(at("invoice", target, `/${action}`), (model) => model[rule](target))
    })
  ),
  ...(
    [
      ["duplicate", "duplicateQuote"],
      ["mark-accepted", "accept"],
      ["mark-rejected", "reject"],
      ["convert-to-invoice", "convert"]
    ] as const
  ).map(([action, rule]) =>
    operation(`${action} a quote`, { quote: pick }, ({ quote }, { find }) => {
      const target = find("quote", quote)
      return post(at("quote", target, `/${action}`), (model) => model[rule](target))
    })
  ),

  operation("delete", { kind: fc.constantFrom(...kinds), nth: pick }, ({ kind, nth }, { find }) => {
    const target = find(kind, nth)
    return remove(at(kind, target), (model) => model.remove(target))
  })
]

import * as fc from "fast-check"
import {
  bodyOf,
  changed,
  changesOf,
  flag,
  idOf,
  operation,
  paths,
  pick,
  post,
  remove,
  several,
  terms,
  termsOf
} from "./Operation.ts"

const removable = ["customer", "invoice", "quote", "payment", "expense"] as const

/** Requests about several records. Other requests may come between the items of a batch that is not atomic. */
export const batchOperations = [
  operation("create invoices", { drawn: several(fc.record(terms)), atomic: flag }, ({ atomic, drawn }, world) => {
    const given = drawn.map((one) => termsOf(one, world))
    const invoices = given.map((one) => ({ currency: world.currency, ...bodyOf(one, "due_date", world) }))
    return post(
      "/batch/invoices/create",
      (model) =>
        model.batch(
          201,
          atomic,
          given.map((one) => ({ run: () => model.createInvoice(one) }))
        ),
      { invoices, atomic }
    )
  }),
  operation(
    "change invoices",
    { drawn: several(fc.record({ ...terms, invoice: pick, which: changed })), atomic: flag },
    ({ atomic, drawn }, world) => {
      const items = drawn.map(({ invoice, which, ...rest }) => ({
        target: world.find("invoice", invoice),
        changes: changesOf(which, termsOf(rest, world))
      }))
      const updates = items.map(({ changes, target }) => ({ id: idOf(target), ...bodyOf(changes, "due_date", world) }))
      return post(
        "/batch/invoices/update",
        (model) =>
          model.batch(
            200,
            atomic,
            items.map(({ changes, target }) => ({ target, run: () => model.updateInvoice(target, changes) }))
          ),
        { updates, atomic }
      )
    }
  ),
  operation(
    "delete several",
    { kind: fc.constantFrom(...removable), picks: several(pick), atomic: flag },
    ({ atomic, kind, picks }, { find }) => {
      const targets = picks.map((nth) => find(kind, nth))
      const query = `resource=${paths[kind].slice(1)}&atomic=${atomic}&ids=${targets.map(idOf).join(",")}`
      return remove(`/batch/resources?${query}`, (model) =>
        model.batch(
          200,
          atomic,
          targets.map((target) => ({ target, run: () => model.remove(target) }))
        )
      )
    }
  )
]

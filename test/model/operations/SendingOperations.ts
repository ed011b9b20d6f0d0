import { at, flag, idOf, operation, pick, post, seldom, several } from "./Operation.ts"

const mailBody = (named: boolean) => ({ attach_pdf: false, ...(named ? { recipients: "ap@beta.example" } : {}) })

/** A mail is sent between two transactions, so a send has no single moment at which it takes place in a race. */
export const sendingOperations = [
  operation("send an invoice", { invoice: pick, named: flag }, ({ invoice, named }, { find }) => {
    const target = find("invoice", invoice)
    return post(at("invoice", target, "/send"), (model) => model.sendInvoice(target, named), mailBody(named))
  }),
  operation("send a quote", { quote: pick, named: flag }, ({ named, quote }, { find }) => {
    const target = find("quote", quote)
    return post(at("quote", target, "/send"), (model) => model.sendQuote(target, named), mailBody(named))
  }),
  operation("send a note", { note: pick, named: flag, resend: seldom }, ({ named, note, resend }, { find }) => {
    const target = find("note", note)
    const body = { ...mailBody(named), resend }
    return post(at("note", target, "/send"), (model) => model.sendNote(target, named, resend), body)
  }),

  operation("send invoices", { invoices: several(pick) }, ({ invoices }, { find }) => {
    const targets = invoices.map((nth) => find("invoice", nth))
    return post(
      "/batch/invoices/send",
      (model) =>
        model.batch(
          200,
          false,
          targets.map((target) => ({ target, run: () => model.sendInvoice(target, false) }))
        ),
      { invoice_ids: targets.map(idOf), attach_pdf: false }
    )
  })
]

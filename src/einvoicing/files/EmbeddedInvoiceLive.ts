import { Effect, Layer, Option } from "effect"
import { EmbeddedInvoice, type Printing } from "../../billing/printing/EmbeddedInvoice.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { ciiDocument } from "../cii/CiiDocument.ts"
import { einvoiceOf } from "../sources/FromDocument.ts"
import { en16931, frenchBilling } from "../invoice/Profiles.ts"
import { creditNoteSource, invoiceSource } from "../sources/Sources.ts"
import { findingsIn } from "../rules/Rules.ts"
import { ElectronicAddresses, isFrenchExchange } from "./ElectronicAddresses.ts"

export const EmbeddedInvoiceLive = Layer.effect(
  EmbeddedInvoice,
  Effect.gen(function* () {
    const addresses = yield* ElectronicAddresses

    const xml = Effect.fn("EmbeddedInvoice.xml")(function* (printing: Printing) {
      const { currency, settings } = yield* CurrentOrganization
      if (settings.pdf_format === "pdf" || !isIssued(printing)) return Option.none()
      const { document, kind, parties } = printing
      const source = kind === "invoice" ? invoiceSource(document) : creditNoteSource(document, yield* todayHere)
      const addressed = yield* addresses.between(document.customer_id)
      // A document that breaks a French rule may still be a valid EN 16931 invoice.
      const profiles = isFrenchExchange(addressed) ? [frenchBilling, en16931] : [en16931]
      const written = profiles.map((profile) => einvoiceOf(source, parties, { profile, ...addressed }, currency))
      const valid = written.find((einvoice) =>
        findingsIn(einvoice, document.customer_id).every(({ severity }) => severity !== "error")
      )
      return Option.map(Option.fromUndefinedOr(valid), ciiDocument)
    })

    return EmbeddedInvoice.of({ xml })
  })
).pipe(Layer.provide(ElectronicAddresses.layer))

/** A credit note is issued once it has a number. It is marked as sent only later. */
const isIssued = ({ document, kind }: Printing): boolean =>
  kind === "invoice" ? document.issued_at !== null && document.voided_at === null : document.number !== null

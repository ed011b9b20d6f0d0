import { Effect, Layer, Option } from "effect"
import { EmbeddedInvoice, type PrintedFacts } from "../../billing/printing/EmbeddedInvoice.ts"
import { today } from "../../kernel/Calendar.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { ciiDocument } from "../cii/CiiDocument.ts"
import { einvoiceOf } from "../invoice/FromDocument.ts"
import { en16931 } from "../invoice/Profiles.ts"
import { creditNoteSource, invoiceSource } from "../invoice/Sources.ts"
import { findingsIn } from "../rules/Rules.ts"
import { ElectronicAddresses } from "./ElectronicAddresses.ts"

/** Writes the CII that hybrid PDFs carry. */
export const EmbeddedInvoiceLive = Layer.effect(
  EmbeddedInvoice,
  Effect.gen(function* () {
    const addresses = yield* ElectronicAddresses

    const xml = Effect.fn("EmbeddedInvoice.xml")(function* (document: PrintedFacts) {
      const { currency, settings, timezone } = yield* CurrentOrganization
      if (settings.pdf_format === "pdf" || !isIssued(document)) return Option.none()
      const { kind, facts, parties } = document
      const source = kind === "invoice" ? invoiceSource(facts) : creditNoteSource(facts, yield* today(timezone))
      const exchange = { profile: en16931, ...(yield* addresses.between(facts.customer_id)) }
      const einvoice = einvoiceOf(source, parties, exchange, currency)
      const isValid = findingsIn(einvoice, facts.customer_id).every(({ severity }) => severity !== "error")
      return isValid ? Option.some(ciiDocument(einvoice)) : Option.none()
    })

    return EmbeddedInvoice.of({ xml })
  })
).pipe(Layer.provide(ElectronicAddresses.layer))

/** A credit note that is being sent has its number already. */
const isIssued = ({ facts, kind }: PrintedFacts): boolean =>
  kind === "invoice" ? facts.issued_at !== null && facts.voided_at === null : facts.number !== null

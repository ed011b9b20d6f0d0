import { Effect, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { DocumentFile } from "../../billing/correspondence/Correspondence.ts"
import type { CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { contract } from "../../platform/http/Contract.ts"
import { toSave } from "../../platform/http/answers/Download.ts"
import { EInvoiceFiles } from "./EInvoiceFiles.ts"
import { EInvoiceFilesApi } from "./EInvoiceFilesApi.ts"

interface Requested<Id> {
  readonly params: { readonly id: Id }
}

const invoice = ({ params }: Requested<InvoiceId>) => ({ kind: "invoice" as const, id: params.id })
const note = ({ params }: Requested<CreditNoteId>) => ({ kind: "credit_note" as const, id: params.id })

export const EInvoiceFilesHttp = HttpApiBuilder.group(
  contract.add(EInvoiceFilesApi),
  "einvoiceFiles",
  Effect.fn(function* (handlers) {
    const files = yield* EInvoiceFiles
    return handlers.handleAll({
      invoiceUbl: (request) => Effect.map(files.ubl(invoice(request)), saved("application/xml")),
      invoiceCii: (request) => Effect.map(files.cii(invoice(request)), saved("application/xml")),
      invoiceFacturx: (request) => Effect.map(files.facturx(invoice(request)), saved("application/pdf")),
      creditNoteUbl: (request) => Effect.map(files.ubl(note(request)), saved("application/xml")),
      creditNoteCii: (request) => Effect.map(files.cii(note(request)), saved("application/xml")),
      creditNoteFacturx: (request) => Effect.map(files.facturx(note(request)), saved("application/pdf"))
    })
  })
)

const saved =
  (content_type: string) =>
  ({ bytes, name }: DocumentFile) =>
    toSave({ bytes: Stream.succeed(bytes), size_bytes: bytes.length, content_type, file_name: name })

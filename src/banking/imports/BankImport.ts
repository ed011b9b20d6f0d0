import { Schema } from "effect"
import { pageQuery } from "../../kernel/Envelope.ts"
import { BankImportId } from "../../kernel/Ids.ts"
import { ImportSession } from "./session/ImportSession.ts"
import { described } from "../../kernel/Described.ts"

export const BankImport = Schema.Struct({
  ...ImportSession.fields,
  id: BankImportId,
  matched: described(
    Schema.Int,
    "Number of its transactions that are matched, wholly or partly; while there are any, the import cannot be deleted."
  )
}).annotate({
  identifier: "BankImport",
  description: "A stored import of a statement file. Amounts are texts in the currency of the account."
})
export type BankImport = typeof BankImport.Type

export const bankImportsQuery = pageQuery
export type BankImportsQuery = Schema.Struct.Type<typeof bankImportsQuery>

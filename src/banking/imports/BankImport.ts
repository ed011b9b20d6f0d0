import { Schema } from "effect"
import { pageQuery } from "../../kernel/Envelope.ts"
import { BankImportId } from "../../kernel/Ids.ts"
import { ImportSession } from "./ImportSession.ts"

/** A stored import. */
export const BankImport = Schema.Struct({
  ...ImportSession.fields,
  id: BankImportId,
  /** Number of its lines that are matched, wholly or partly; such a line keeps the import from being deleted. */
  matched: Schema.Int
})
export type BankImport = typeof BankImport.Type

export const bankImportsQuery = pageQuery
export type BankImportsQuery = Schema.Struct.Type<typeof bankImportsQuery>

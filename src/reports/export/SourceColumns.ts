import { Schema } from "effect"
import type { Column, ColumnKind } from "./ExportRequest.ts"

export interface SourceColumn extends Column {
  readonly expression: string
}

type Said = ColumnKind | readonly [kind: ColumnKind, expression: string]

/** Fields that exports omit: lists, internal values such as `version`, and values that another column shows. */
type NotExported =
  | "contacts"
  | "customer"
  | "details"
  | "items"
  | "matches"
  | "original_invoice"
  | "sequence"
  | "suggestion"
  | "version"
  | "voided_at"

/**
 * Lists the columns of an export. Every field needs a column, unless exports omit it. By default, the column has the
 * value of `x.<field>`.
 */
export const columns = <Fields>(
  listed: Readonly<Record<Exclude<keyof Fields & string, NotExported>, Said>> & Readonly<Record<string, Said>>
): ReadonlyArray<SourceColumn> =>
  Object.entries(listed).map(([name, said]) =>
    typeof said === "string"
      ? { name, kind: said, expression: `x.${name}` }
      : { name, kind: said[0], expression: said[1] }
  )

/** Returns one column for each optional field of a kind of document: text, or JSON for a list or an object. */
export const detailColumns = ({ stored }: { readonly stored: Schema.Struct<Schema.Struct.Fields> }) =>
  Object.fromEntries(
    Object.entries(stored.fields).map(([name, schema]): [string, Said] =>
      ["Arrays", "Objects"].includes(Schema.toEncoded(schema).ast._tag)
        ? [name, ["json", `x.details -> '${name}'`]]
        : [name, ["words", `x.details ->> '${name}'`]]
    )
  )

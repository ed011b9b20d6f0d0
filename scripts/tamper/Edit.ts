/** One way to tamper with the books: what the owner of the database, or of the disk, changes. */
export interface Edit {
  readonly name: string
  /** Statements; `$org`, `$invoice`, `$note`, `$payment` and `$refund` stand for ids. */
  readonly statements?: ReadonlyArray<string>
  /** Makes the audit chain say the same: seals are computed anew from the rows, and all hashes. */
  readonly reseals?: boolean
  /** Changes entries of the chain before it is hashed anew as a whole. */
  readonly entries?: (entries: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Changes files of the storage. */
  readonly files?: DiskEdit
  /** Why the service cannot find it by itself. */
  readonly unseen?: string
}

export type DiskEdit =
  | {
      readonly area: "archive" | "checkpoints"
      readonly at: number
      readonly does: "flip" | "cut" | "empty" | "remove"
    }
  | { readonly area: "archive" | "checkpoints"; readonly does: "swap" | "removeAll" }
  | { readonly area: "checkpoints"; readonly does: "forge"; readonly signs: "another key" | "the signing key" }

export const change = (table: string, which: string, columns: Readonly<Record<string, string>>): ReadonlyArray<Edit> =>
  Object.entries(columns).map(([column, value]) => ({
    name: `${table}.${column}`,
    statements: [`update ${table} set ${column} = ${value} where organization_id = $org and ${which}`]
  }))

export const one = (name: string, ...statements: ReadonlyArray<string>): Edit => ({ name, statements })

export interface Edit {
  readonly name: string
  /** SQL statements, in which `$org`, `$invoice`, `$note`, `$payment`, `$refund` and `$expense` stand for ids. */
  readonly statements?: ReadonlyArray<string>
  /** Also rewrites the audit chain with the seals of the changed rows and with new hashes. */
  readonly reseals?: boolean
  /** Changes the entries of the audit chain. Afterwards the chain gets new hashes. */
  readonly entries?: (entries: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly files?: DiskEdit
  readonly unseen?: string
}

export type DiskEdit =
  | {
      readonly area: "archive" | "checkpoints"
      readonly at: number
      readonly does: "flip" | "cut" | "empty" | "remove"
    }
  | { readonly area: "archive" | "checkpoints"; readonly does: "swap" | "removeAll" }
  | { readonly area: "checkpoints"; readonly does: "forge"; readonly signs: Forger }

/** The key that signs forged checkpoints. */
export type Forger = "no key" | "another key" | "the signing key"

export const change = (table: string, which: string, columns: Readonly<Record<string, string>>): ReadonlyArray<Edit> =>
  Object.entries(columns).map(([column, value]) => ({
    name: `${table}.${column}`,
    statements: [`update ${table} set ${column} = ${value} where organization_id = $org and ${which}`]
  }))

export const one = (name: string, ...statements: ReadonlyArray<string>): Edit => ({ name, statements })

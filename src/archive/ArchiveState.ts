import { Schema } from "effect"
import { Timestamp } from "../kernel/Calendar.ts"

const VaultStatus = Schema.Literals(["provisioning", "active", "retained", "error"])
const IntegrityState = Schema.Literals(["never", "running", "passed", "failed", "inconclusive", "not_applicable"])

/** Spec, Archive state. */
export const ArchiveState = Schema.Struct({
  state: Schema.Literals(["vault", "france_capture", "none"]),
  entitled: Schema.Boolean,
  plans_with_vault: Schema.Array(Schema.String),
  /** Null where there is no vault. */
  vault_status: Schema.NullOr(VaultStatus),
  region: Schema.String,
  /** What the storage enforces; 0 where it enforces nothing. */
  retention_days: Schema.Int,
  locked: Schema.Boolean,
  object_count: Schema.Int,
  last_proven_at: Schema.NullOr(Timestamp),
  integrity_state: IntegrityState,
  quota_bytes: Schema.Int,
  used_bytes: Schema.Int
})
export type ArchiveState = typeof ArchiveState.Type

/** Metered, never enforced. */
const quota_bytes = 10 * 1024 * 1024 * 1024

/** What is stored of an organization's archive. */
export const VaultFacts = Schema.Struct({
  objects: Schema.Int,
  bytes: Schema.Int,
  /** Whether any of it is there because the plan says so; what is exchanged with a network is kept for everybody. */
  by_plan: Schema.Boolean,
  failing_since: Schema.NullOr(Timestamp)
})
type VaultFacts = typeof VaultFacts.Type

interface Circumstances {
  /** Null while nothing was ever proven. */
  readonly proof: {
    readonly state: Exclude<typeof IntegrityState.Type, "never" | "not_applicable">
    readonly last_proven_at: Timestamp | null
  } | null
  readonly country: string
  readonly plan: string
  readonly plans: ReadonlyArray<string>
  readonly region: string
  /** Whether the storage refuses to remove what it was told to retain. */
  readonly locked: boolean
  readonly retention_days: number
}

/**
 * `vault` is null while nothing was ever stored. Without the plan, what a French organization exchanges with the network
 * or the tax authority is captured for it; elsewhere what is there is a vault to which nothing that it issues is added.
 */
export const stateOf = (vault: VaultFacts | null, around: Circumstances): ArchiveState => {
  const { country, locked, plan, plans, proof, region, retention_days } = around
  const entitled = plans.includes(plan)
  const hasVault = entitled || (vault !== null && (vault.by_plan || country !== "FR"))
  return {
    state: hasVault ? "vault" : country === "FR" ? "france_capture" : "none",
    entitled,
    plans_with_vault: plans,
    vault_status: hasVault ? statusOf(vault, entitled) : null,
    region,
    retention_days: locked ? retention_days : 0,
    locked,
    object_count: vault?.objects ?? 0,
    last_proven_at: proof?.last_proven_at ?? null,
    integrity_state: proof?.state ?? (vault !== null || hasVault ? "never" : "not_applicable"),
    quota_bytes,
    used_bytes: vault?.bytes ?? 0
  }
}

/** Contract section 12: provisioning until something is stored, retained when the plan ends, error whenever it fails. */
const statusOf = (vault: VaultFacts | null, entitled: boolean): typeof VaultStatus.Type => {
  if (vault !== null && vault.failing_since !== null) return "error"
  if (!entitled) return "retained"
  return vault === null || vault.objects === 0 ? "provisioning" : "active"
}

import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { isFrench } from "../../kernel/Country.ts"
import { described } from "../../kernel/Described.ts"

const VaultStatus = Schema.Literals(["provisioning", "active", "retained", "error"])
const IntegrityState = Schema.Literals(["never", "running", "passed", "failed", "inconclusive", "not_applicable"])

export const ArchiveState = Schema.Struct({
  state: described(
    Schema.Literals(["vault", "france_capture", "none"]),
    "`vault`: issued documents are archived; `france_capture`: only exchanges with networks; `none`: nothing is archived."
  ),
  entitled: described(Schema.Boolean, "True if the plan of the organization includes the archive."),
  plans_with_vault: described(Schema.Array(Schema.String), "Plans that include the archive."),
  vault_status: described(Schema.NullOr(VaultStatus), "State of the storage; null without a vault."),
  region: described(Schema.String, "Region of the storage."),
  retention_days: described(
    Schema.Int,
    "Days for which the storage refuses to delete an object; 0 if it does not refuse."
  ),
  locked: described(Schema.Boolean, "True if the storage refuses to delete objects (S3 Object Lock)."),
  object_count: described(Schema.Int, "Number of archived objects."),
  last_proven_at: described(
    Schema.NullOr(Timestamp),
    "Time at which the last complete proof ended, whether it passed or failed; null before the first."
  ),
  integrity_state: described(IntegrityState, "Result of the last proof; `never` before the first one."),
  quota_bytes: described(Schema.Int, "Bytes that the plan includes; more are metered but never refused."),
  used_bytes: described(Schema.Int, "Bytes that are stored.")
}).annotate({
  identifier: "ArchiveState",
  description: "Whether the archive is in use, its size, and when it was last proven."
})
export type ArchiveState = typeof ArchiveState.Type

/** Storage quota in bytes. It is shown to the organization, but not enforced. */
const quota_bytes = 10 * 1024 * 1024 * 1024

export const VaultFacts = Schema.Struct({
  objects: Schema.Int,
  bytes: Schema.Int,
  /** True once an object was archived because of the plan; exchanges with networks are archived under every plan. */
  by_plan: Schema.Boolean,
  failing_since: Schema.NullOr(Timestamp)
})
type VaultFacts = typeof VaultFacts.Type

interface Circumstances {
  /** Null before the first proof. */
  readonly proof: {
    readonly state: Exclude<typeof IntegrityState.Type, "never" | "not_applicable">
    readonly last_proven_at: Timestamp | null
  } | null
  readonly country: string
  readonly plan: string
  readonly plans: ReadonlyArray<string>
  readonly region: string
  /** True if the storage has Object Lock, so that it refuses to delete an object before its retention ends. */
  readonly locked: boolean
  readonly retention_days: number
}

/**
 * The state is `vault` if the plan contains the archive, or if an object was archived before. In France, objects that
 * were exchanged with a network do not count, because they are archived under every plan. If the state is not `vault`,
 * it is `france_capture` in France and `none` elsewhere. The parameter `vault` is null before the first object is
 * stored.
 */
export const stateOf = (vault: VaultFacts | null, around: Circumstances): ArchiveState => {
  const { country, locked, plan, plans, proof, region, retention_days } = around
  const entitled = plans.includes(plan)
  const hasVault = entitled || (vault !== null && (vault.by_plan || !isFrench(country)))
  return {
    state: hasVault ? "vault" : isFrench(country) ? "france_capture" : "none",
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

/** `error` while storing fails, else `retained` after the plan ended, else `provisioning` until an object is stored. */
const statusOf = (vault: VaultFacts | null, entitled: boolean): typeof VaultStatus.Type => {
  if (vault !== null && vault.failing_since !== null) return "error"
  if (!entitled) return "retained"
  return vault === null || vault.objects === 0 ? "provisioning" : "active"
}

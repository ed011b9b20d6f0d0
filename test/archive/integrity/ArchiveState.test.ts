import { describe, expect, it } from "vitest"
import { stateOf } from "../../../src/archive/objects/ArchiveState.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"

const at = Timestamp.make("2026-03-01T02:00:00.000Z")
const vault = {
  objects: 3,
  bytes: 1200,
  by_plan: true,
  failing_since: null
} as const
const around = {
  proof: { state: "passed", last_proven_at: at } as const,
  country: "BE",
  plan: "business",
  plans: ["business", "firm"],
  region: "eu-west-1",
  locked: true,
  retention_days: 3650
}

describe("the state of an archive", () => {
  it.each([
    ["entitled, nothing stored", null, { ...around, proof: null }, "vault", "provisioning", "never"],
    [
      "entitled, nothing could be stored",
      { ...vault, objects: 0, failing_since: at },
      around,
      "vault",
      "error",
      "passed"
    ],
    ["entitled", vault, around, "vault", "active", "passed"],
    ["the plan ended", vault, { ...around, plan: "standard" }, "vault", "retained", "passed"],
    ["never entitled", null, { ...around, plan: "standard", proof: null }, "none", null, "not_applicable"],
    [
      "never entitled, exchanged with a network",
      { ...vault, by_plan: false },
      { ...around, plan: "standard" },
      "vault",
      "retained",
      "passed"
    ],
    [
      "never entitled, exchanged with a network, in France",
      { ...vault, by_plan: false },
      { ...around, plan: "standard", country: "FR" },
      "france_capture",
      null,
      "passed"
    ],
    ["never entitled, books proven", null, { ...around, plan: "standard" }, "none", null, "passed"],
    ["the plan ended, in France", vault, { ...around, plan: "standard", country: "FR" }, "vault", "retained", "passed"],
    [
      "never entitled, in France",
      null,
      { ...around, plan: "standard", country: "FR", proof: null },
      "france_capture",
      null,
      "not_applicable"
    ]
  ] as const)("is distinguished: %s", (_name, facts, circumstances, state, vault_status, integrity_state) => {
    expect(stateOf(facts, circumstances)).toMatchObject({ state, vault_status, integrity_state })
  })

  it("says what the storage enforces, and what is metered", () => {
    expect(stateOf(vault, around)).toMatchObject({
      entitled: true,
      plans_with_vault: ["business", "firm"],
      region: "eu-west-1",
      retention_days: 3650,
      locked: true,
      object_count: 3,
      used_bytes: 1200,
      last_proven_at: at
    })
    const unlocked = { ...around, region: "local", locked: false }
    expect(stateOf(vault, unlocked)).toMatchObject({ retention_days: 0, locked: false })
  })
})

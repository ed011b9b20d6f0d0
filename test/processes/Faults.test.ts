import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type FaultKind } from "../../scripts/faults/Faults.ts"
import { runRound } from "../../scripts/faults/Round.ts"
import { world } from "../../scripts/faults/World.ts"
import { sampled } from "../support/service/Runs.ts"

const kinds = sampled<FaultKind>(["kill", "database", "storage"])

it.live(
  "everything acknowledged exists once and complete, whatever fails meanwhile (npm run faults does more)",
  () =>
    Effect.gen(function* () {
      const machine = yield* world
      for (const [seed, kind] of kinds.entries()) {
        const result = yield* Effect.promise(() => runRound(machine, kind, seed))
        if (result === undefined) console.warn(`SKIPPED: ${kind}, which needs the right to mount a file system`)
        else {
          const { fault, findings, writes } = result
          expect([fault, findings]).toEqual([fault, []])
          expect([fault, writes]).toEqual([fault, expect.toSatisfy((count: number) => count > 0)])
        }
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  600_000
)

import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { poolOf } from "./Children.ts"

// Prints the process id of its child, which then runs in an endless loop.
NodeRuntime.runMain(
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const pid = yield* pool.run("pid")
      yield* Effect.forkChild(pool.run("spin"))
      yield* Effect.sleep("200 millis")
      console.log(pid)
      return yield* Effect.never
    })
  )
)

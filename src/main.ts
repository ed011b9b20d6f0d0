import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Layer, Option } from "effect"
import { existsSync } from "node:fs"
import { AppConfig } from "./platform/config/AppConfig.ts"

/** An expected failure is explained in one sentence; anything else is a bug and is printed with its stack trace. */
const explain = (cause: Cause.Cause<{ readonly message: string; readonly cause?: unknown }>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const failure = Cause.findErrorOption(cause)
  if (Cause.hasDies(cause) || Option.isNone(failure)) return Console.error(Cause.pretty(cause))
  const { cause: reason, message } = failure.value
  const because = reason instanceof Error && !message.includes(reason.message) ? [reason.message] : []
  return Console.error(`Not started. ${[message, ...because].filter((part) => part !== "").join(": ")}`)
}

/**
 * Reads the settings before it loads the rest of the program, which takes seconds of processor time on a slow machine, so
 * that a wrong setting is reported at once.
 */
const service = Effect.gen(function* () {
  yield* Effect.scoped(Layer.build(AppConfig.layer))
  const { Process } = yield* Effect.promise(() => import("./Process.ts"))
  return yield* Layer.launch(Process)
})

if (import.meta.main) {
  if (existsSync(".env")) process.loadEnvFile(".env")
  // Closing the terminal stops the service, too.
  process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  NodeRuntime.runMain(Effect.tapCause(service, explain), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
}

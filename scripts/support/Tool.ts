import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"

/**
 * Runs a tool until it ends, its terminal or the reader of its output closes, or it gets Ctrl-C or SIGTERM. Then ends
 * its children, and releases its resources.
 */
export const runTool = <E>(tool: Effect.Effect<void, E, NodeServices.NodeServices | Scope.Scope>) => {
  process.stdout.on("error", stop)
  process.once("SIGHUP", stop)
  // The child processes end first, because they use the database and the folders that the scope removes.
  const whole = Effect.ensuring(tool, Effect.promise(endChildren))
  NodeRuntime.runMain(whole.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
}

const stop = () => process.kill(process.pid, "SIGTERM")

const children = new Set<ChildProcess>()
let isEnding = false

export const childOfTool = <Child extends ChildProcess>(child: Child): Child => {
  children.add(child)
  child.once("exit", () => children.delete(child))
  // A promise of the tool may still start a child after the tool was stopped.
  if (isEnding) child.kill("SIGKILL")
  return child
}

const endChildren = () => {
  isEnding = true
  return Promise.all(
    Array.from(children, async (child) => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    })
  )
}

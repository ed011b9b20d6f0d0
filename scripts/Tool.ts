import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"

/**
 * Runs a tool to its end, or until it is told to stop: by Ctrl-C or SIGTERM, or because its terminal closes or whoever
 * reads along goes. Its children have ended by then, and what its scope holds is gone.
 */
export const runTool = <E>(tool: Effect.Effect<void, E, NodeServices.NodeServices | Scope.Scope>) => {
  process.stdout.on("error", stop)
  process.once("SIGHUP", stop)
  // Before the scope ends, since they use the database and the folders that it holds.
  const whole = Effect.ensuring(tool, Effect.promise(endChildren))
  NodeRuntime.runMain(whole.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
}

const stop = () => process.kill(process.pid, "SIGTERM")

const children = new Set<ChildProcess>()

/** Lets a process that the tool has started not outlive it. */
export const childOfTool = <Child extends ChildProcess>(child: Child): Child => {
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

const endChildren = () =>
  Promise.all(
    Array.from(children, async (child) => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    })
  )

import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { unlessHeld } from "../../../src/administration/backup/HeldWork.ts"
import { useApp } from "../../support/App.ts"

const app = useApp()

/** Starts work on a held copy in the given state of the database, and returns the lines that it logs. */
const startHeld = async (work: Layer.Layer<never, string>) => {
  await app.inDatabase("insert into restored_copies default values")
  const lines: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => lines.push([message].flat().map(String).join(" ")))])
  const scope = Scope.makeUnsafe()
  onTestFinished(() => app.run(Scope.close(scope, Exit.void)))
  await app.run(Layer.buildWithScope(unlessHeld(work), scope).pipe(Effect.provide(log)))
  return lines
}

const resume = () => app.inDatabase("update restored_copies set resumed_at = now()")

it("resumed work starts, also after the database could not be asked once", { timeout: 30_000 }, async () => {
  let hasStarted = false
  const lines = await startHeld(Layer.effectDiscard(Effect.sync(() => void (hasStarted = true))))
  await app.inDatabase("alter table restored_copies rename to restored_copies_elsewhere")
  await expect.poll(() => lines, { timeout: 10_000 }).toContainEqual(expect.stringContaining("could not be asked"))
  await app.inDatabase("alter table restored_copies_elsewhere rename to restored_copies")
  await resume()
  await expect.poll(() => hasStarted, { timeout: 10_000 }).toBe(true)
})

it("the log says when resumed work cannot start", { timeout: 30_000 }, async () => {
  const lines = await startHeld(Layer.effectDiscard(Effect.fail("no queue")))
  await resume()
  await expect.poll(() => lines, { timeout: 10_000 }).toContainEqual(expect.stringContaining("could not start"))
})

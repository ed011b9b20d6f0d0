import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { getCompileCacheDir } from "node:module"
import { createServer } from "node:http"
import { constants, getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { ChildTimedOut } from "../../../src/platform/children/ChildErrors.ts"
import { poolOf, untilGone } from "./Children.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "children-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

describe("a job", () => {
  it.live("is done by a child that stays for the next one", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const pid = yield* pool.run("pid")
      assert.notStrictEqual(pid, process.pid)
      assert.strictEqual(yield* pool.run("pid"), pid)
    })
  )

  it.live("of low priority has it among the processes and, where Linux counts sessions, among the sessions", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ low_priority: true })
      const pid = Number(yield* pool.run("pid"))
      const { PRIORITY_LOW } = constants.priority
      assert.strictEqual(getPriority(pid), PRIORITY_LOW)
      const session = `/proc/${pid}/autogroup`
      if (!existsSync(session)) return
      assert.match(readFileSync(session, "utf8"), /nice 10$/m)
      // The tests themselves may have the low priority, but in another session.
      assert.notStrictEqual(readFileSync(session, "utf8"), readFileSync("/proc/self/autogroup", "utf8"))
    })
  )

  it.live("asks questions while it runs, and is killed if they are not answered", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const pid = yield* pool.run("pid")
      const replies = yield* pool.run("ask 1,2,3", (question) => Effect.succeed({ doubled: Number(question) * 2 }))
      assert.deepStrictEqual(replies, [{ doubled: 2 }, { doubled: 4 }, { doubled: 6 }])
      assert.isTrue(Exit.hasDies(yield* Effect.exit(pool.run("ask 1"))))
      yield* untilGone(pid)
      assert.isNumber(yield* pool.run("pid"))
    })
  )

  it.live("waits while the maximum number of jobs is being done", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ size: 2 })
      const pids = yield* Effect.all([pool.run("wait 100"), pool.run("wait 100"), pool.run("wait 100")], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(pids).size, 2)
    })
  )

  for (const order of ["hang", "spin"]) {
    it.live(`that takes too long is killed with its child (${order})`, () =>
      Effect.gen(function* () {
        const pool = yield* poolOf({ job_duration_max: "3 seconds" })
        const pid = yield* pool.run("pid")
        const failure = yield* Effect.flip(pool.run(order))
        assert.deepStrictEqual(failure, new ChildTimedOut({ limit: "time" }))
        yield* untilGone(pid)
        assert.notStrictEqual(yield* pool.run("pid"), pid)
      })
    )
  }

  it.live("that uses too much processor time is killed with its child, however long others took before it", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ job_cpu_max: "1 second" })
      const pid = yield* pool.run("pid")
      // Waiting takes longer than the limit, but no processor time.
      assert.strictEqual(yield* pool.run("wait 1500"), pid)
      const failure = yield* Effect.flip(pool.run("spin"))
      assert.deepStrictEqual(failure, new ChildTimedOut({ limit: "cpu" }))
      yield* untilGone(pid)
      assert.notStrictEqual(yield* pool.run("pid"), pid)
    })
  )

  it.live("is finished if a terminal or systemd signals all processes of the service to stop", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const pid = Number(yield* pool.run("pid"))
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
        const job = yield* Effect.forkChild(pool.run("wait 600"))
        yield* Effect.sleep("200 millis")
        process.kill(pid, signal)
        assert.strictEqual(yield* Fiber.join(job), pid)
      }
    })
  )

  it.live("that is interrupted is killed with its child", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const pid = yield* pool.run("pid")
      const job = yield* Effect.forkChild(pool.run("spin"))
      yield* Effect.sleep("100 millis")
      yield* Fiber.interrupt(job)
      yield* untilGone(pid)
      assert.notStrictEqual(yield* pool.run("pid"), pid)
    })
  )

  const reasons = [
    ["throw kaputt", "thrown", /kaputt/],
    ["crash", "ended", /ended with 1/],
    ["exit", "ended", /ended with 3/],
    ["kill", "ended", /ended with SIGKILL/],
    ["fill", "memory", /ended with SIGABRT/]
  ] as const
  for (const [order, cause, reason] of reasons) {
    it.live(`that fails says why and leaves the pool healthy (${order})`, () =>
      Effect.gen(function* () {
        const pool = yield* poolOf()
        const error = yield* Effect.flip(pool.run(order))
        assert(error._tag === "ChildFailed")
        assert.strictEqual(error.cause, cause)
        assert.match(error.reason, reason)
        assert.isNumber(yield* pool.run("pid"))
      })
    )
  }

  it.live("that exceeds its memory limit kills its child", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ memory_bytes_max: 250_000_000 })
      const error = yield* Effect.flip(pool.run("swell 300,30000"))
      assert(error._tag === "ChildFailed")
      assert.deepStrictEqual([error.cause, error.reason], ["memory", "ended with SIGUSR2"])
      assert.strictEqual(yield* pool.run("swell 10,0"), 10)
    })
  )

  it.live("cannot write a file, call an address, or see the parent's environment", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const path = join(yield* folder, "written")
      yield* Effect.flip(pool.run(`write ${path}`))
      assert.isFalse(existsSync(path))
      let calls = 0
      const server = createServer((_, response) => response.end(String(calls++))).listen(0, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      yield* Effect.promise(() => once(server, "listening"))
      const address = server.address()
      yield* Effect.flip(pool.run(`call http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`))
      assert.strictEqual(calls, 0)
      const seen = yield* pool.run("environment").pipe(Effect.map(names))
      assert.deepEqual(
        seen.filter((name) => name in process.env && name !== "NODE_COMPILE_CACHE"),
        []
      )
    })
  )

  it.live("finds its modules compiled, but cannot change the compiled modules of the service", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf()
      const compiled = yield* pool.run("compiled").pipe(Effect.map(String))
      assert.strictEqual(compiled, getCompileCacheDir())
      yield* Effect.flip(pool.run(`write ${join(compiled, "module")}`))
      assert.isFalse(existsSync(join(compiled, "module")))
    })
  )
})

const names = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(String).filter((name) => name !== "CHILD_MEMORY_BYTES_MAX") : []

describe("a child", () => {
  it.live("is replaced after its maximum number of jobs", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ jobs_per_child_max: 2 })
      const pids = yield* Effect.all([pool.run("pid"), pool.run("pid"), pool.run("pid")])
      assert.strictEqual(pids[0], pids[1])
      assert.notStrictEqual(pids[1], pids[2])
      yield* untilGone(pids[0])
    })
  )

  it.live("that keeps too much memory is replaced after its job", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ memory_bytes_kept_max: 250_000_000 })
      const pid = yield* pool.run("keep 230")
      assert.notStrictEqual(yield* pool.run("pid"), pid)
      yield* untilGone(pid)
    })
  )

  it.live("that is idle is stopped", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ idle_duration_max: "100 millis" })
      yield* untilGone(yield* pool.run("pid"))
      assert.isNumber(yield* pool.run("pid"))
    })
  )

  it.live("that died while idle costs no job, even before anybody noticed", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ size: 2 })
      const pids = yield* Effect.all([pool.run("wait 100"), pool.run("wait 100")], { concurrency: "unbounded" })
      for (const pid of pids) process.kill(Number(pid), "SIGKILL")
      assert.notInclude(pids, yield* pool.run("pid"))
      assert.notInclude(pids, yield* pool.run("pid"))
    })
  )

  it.live("ends with the pool", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(Effect.flatMap(poolOf(), (pool) => pool.run("pid")))
      yield* untilGone(pid)
    })
  )

  it.live("ends with a parent that is killed, even inside a loop", () =>
    Effect.gen(function* () {
      const path = new URL("./PoolProcess.ts", import.meta.url).pathname
      const parent = spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "inherit"] })
      const [line] = yield* Effect.promise(() => once(parent.stdout, "data"))
      parent.kill("SIGKILL")
      assert.isAbove(Number(line), 1)
      yield* untilGone(Number(line))
    })
  )
})

describe("a start", () => {
  it.live("that takes too long is given up, and its process killed", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ arguments: ["never"], start_duration_max: "1 second" })
      const error = yield* Effect.flip(pool.run("pid"))
      assert(error._tag === "ChildUnavailable")
      assert.match(error.reason, /not ready in time/)
    })
  )

  it.live("that fails thrice is not tried again until the pause is over", () =>
    Effect.gen(function* () {
      const needed = join(yield* folder, "needed")
      const pool = yield* poolOf({ arguments: [needed], pause_after_failed_starts: "3 seconds" })
      for (const _ of [1, 2, 3]) {
        assert.isTrue(yield* pool.available)
        const error = yield* Effect.flip(pool.run("pid"))
        assert(error._tag === "ChildUnavailable")
        assert.match(error.reason, /needed is missing/)
      }
      assert.isFalse(yield* pool.available)
      const refused = yield* Effect.flip(pool.run("pid"))
      assert(refused._tag === "ChildUnavailable")
      assert.match(refused.reason, /last starts failed/)

      yield* Effect.promise(() => writeFile(needed, ""))
      yield* Effect.sleep("3100 millis")
      assert.isTrue(yield* pool.available)
      assert.isNumber(yield* pool.run("pid"))
      assert.isTrue(yield* pool.available)
    })
  )

  it.live("whose process ends is reported at once", () =>
    Effect.gen(function* () {
      const pool = yield* poolOf({ arguments: ["crash"] })
      const error = yield* Effect.flip(pool.run("pid"))
      assert(error._tag === "ChildUnavailable")
      assert.match(error.reason, /ended with 4/)
    })
  )
})

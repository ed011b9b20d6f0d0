import { Context, Effect, Layer, Metric, Schedule } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

const interval = "10 seconds"

const seconds = { unit: "s" }
const memory = Metric.gauge("process_resident_memory_bytes", {
  description: "Memory of the process, without children."
})
const cpu = Metric.gauge("process_cpu_seconds", { description: "CPU time since the start.", attributes: seconds })
const uptime = Metric.gauge("process_uptime_seconds", { description: "Time since the start.", attributes: seconds })
const delay = Metric.gauge("nodejs_eventloop_delay_p99_seconds", {
  description: "99th percentile of the delay of timers in the last interval; every request waits as long.",
  attributes: seconds
})

const everywhere = Context.empty()

/** Keeps the figures of the process up to date. */
export const ProcessMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const delays = yield* Effect.acquireRelease(
      Effect.sync(() => monitorEventLoopDelay({ resolution: 20 })),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    delays.enable()
    yield* Effect.sync(() => {
      const { system, user } = process.cpuUsage()
      memory.updateUnsafe(process.memoryUsage.rss(), everywhere)
      cpu.updateUnsafe((system + user) / 1e6, everywhere)
      uptime.updateUnsafe(process.uptime(), everywhere)
      delay.updateUnsafe(delays.percentile(99) / 1e9, everywhere)
      delays.reset()
    }).pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
  })
)

import { Context, Effect, Layer, Metric, Option } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { AppConfig } from "../config/AppConfig.ts"
import { measureEvery } from "./Measuring.ts"
import { dataFolders, roomIn } from "../storage/DiskRoom.ts"

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

const room = Metric.gauge("disk_free_bytes", {
  description: "Free space on the disk of each folder: data is DATA_DIR, postgres the embedded database.",
  attributes: { unit: "By" }
})

const measureDisks = (dataDir: string) =>
  Effect.forEach(Object.entries(dataFolders(dataDir)), ([folder, path]) =>
    Effect.flatMap(
      roomIn(path),
      Option.match({
        onNone: () => Effect.void,
        onSome: ({ bytes }) => Metric.update(Metric.withAttributes(room, { folder }), bytes)
      })
    )
  )

const everywhere = Context.empty()

export const ProcessMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const { dataDir } = yield* AppConfig
    const delays = yield* Effect.acquireRelease(
      Effect.sync(() => monitorEventLoopDelay({ resolution: 20 })),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    delays.enable()
    const measure = Effect.sync(() => {
      const { system, user } = process.cpuUsage()
      memory.updateUnsafe(process.memoryUsage.rss(), everywhere)
      cpu.updateUnsafe((system + user) / 1e6, everywhere)
      uptime.updateUnsafe(process.uptime(), everywhere)
      delay.updateUnsafe(delays.percentile(99) / 1e9, everywhere)
      delays.reset()
    })
    yield* measureEvery(interval, "the process")(Effect.andThen(measure, measureDisks(dataDir)))
  })
)

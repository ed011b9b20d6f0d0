/**
 * `npm run model -- --minutes 10` runs the model test longer. A failure prints the command that replays it: `npm run
 * model -- --seed 7 --path 12:3:0 --replay "wK/rAa:t"`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    path: { type: "string" },
    replay: { type: "string" }
  }
})

const asked = Object.entries(values).flatMap(([name, value]) => [[`MODEL_${name.toUpperCase()}`, value] as const])
const vitest = spawn("vitest", ["run", "test/model"], {
  env: { ...process.env, ...Object.fromEntries(asked) },
  stdio: "inherit"
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => vitest.kill(signal))
const [code] = await once(vitest, "exit")
process.exitCode = Number(code ?? 1)

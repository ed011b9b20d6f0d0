import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { memory_variables, type ServiceProcess, startProcess } from "../../support/ServiceProcess.ts"

export interface Subject extends ServiceProcess {
  readonly name: "service" | "limit"
}

export const connections = 16
const stop_ms_max = 20_000

interface Start {
  readonly name: Subject["name"]
  readonly script: string
  readonly url: string
  readonly dataDir: string
  readonly profile: string | undefined
}

export const start = async ({ dataDir, name, profile, script, url }: Start): Promise<Subject> => {
  const started = await startProcess({
    program: script,
    flags: profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`],
    variables: {
      ...process.env,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(connections),
      DATA_DIR: dataDir,
      // This process does no background work, which is not part of a request's cost. `bench:deliveries` and `bench:ocr`
      // measure it.
      ROLE: "api",
      RATE_LIMIT_PER_MINUTE: "1000000000",
      // The service requires these keys in production. They are valid for this run only.
      SECRET_KEY: randomBytes(32).toString("base64"),
      SIGNING_KEY: randomBytes(32).toString("base64"),
      NODE_ENV: "production",
      ...memory_variables
    }
  })
  return { name, ...started }
}

export const stop = async (subject: Subject) => {
  if (subject.process.exitCode !== null) return
  const ended = once(subject.process, "exit")
  subject.process.kill("SIGTERM")
  const late = setTimeout(() => subject.process.kill("SIGKILL"), stop_ms_max)
  await ended
  clearTimeout(late)
}

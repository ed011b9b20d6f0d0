import type { ChildProcess, ChildProcessByStdio } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"

/** Time limit of a start, which is long enough for a machine that also runs other tests. */
const start_ms_max = 100_000
/** Time limit of one probe; if the process accepts the connection and does not answer, another probe follows. */
const probe_ms_max = 20_000
const probe_interval_ms = 50
/** Maximum number of lines that are kept of the output of a process. */
const lines_max = 100_000

/** Returns the answer from an address, fetched on a new connection; undefined if none came in time. */
export const probe = (url: string) =>
  fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(probe_ms_max) })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined)

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Waits until a process answers with 200. A process that does not is killed. */
export const answering = async (child: ChildProcess, url: string, output = () => ""): Promise<void> => {
  const deadline = Date.now() + start_ms_max
  while (isRunning(child) && Date.now() < deadline) {
    if ((await probe(url))?.status === 200) return
    await sleep(probe_interval_ms)
  }
  child.kill("SIGKILL")
  throw new Error(`The process did not start: ${child.spawnargs.join(" ")}\n${output()}`)
}

/** Keeps the last lines that a process writes, and returns them as a text. */
export const outputOf = ({ stderr, stdout }: ChildProcessByStdio<null, Readable, Readable>): (() => string) => {
  const lines: Array<string> = []
  for (const stream of [stdout, stderr]) {
    createInterface(stream).on("line", (line) => {
      lines.push(line)
      if (lines.length > lines_max) lines.shift()
    })
  }
  return () => lines.join("\n")
}

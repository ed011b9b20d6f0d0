import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"

const test_ms_max = 120_000

const processes = () =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([pid, parent, state = ""]) =>
      state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent) }]
    )

it(
  "a tool that is stopped ends its database and its services, and leaves no file",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "invoicing-tool-test-"))
    // The folder must be open to the account that PostgreSQL gets when this runs as root.
    chmodSync(folder, 0o711)
    const tool = spawn(process.execPath, ["scripts/bench/run.ts", "--only", "get"], {
      env: { ...process.env, TMPDIR: folder, BENCH_ORGANIZATIONS: "1", BENCH_INVOICES: "2", BENCH_LARGE: "0" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      // When the tool prints a line, it is about to start its second service.
      await once(createInterface(tool.stdout), "line")
      const children = processes().flatMap(({ parent, pid }) => (parent === tool.pid ? [pid] : []))
      expect(children.length).toBeGreaterThanOrEqual(2)
      expect(readdirSync(folder)).not.toEqual([])

      tool.kill("SIGTERM")
      await once(tool, "exit")

      expect(processes().filter(({ parent, pid }) => parent === tool.pid || children.includes(pid))).toEqual([])
      expect(readdirSync(folder)).toEqual([])
    } finally {
      tool.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  },
  test_ms_max
)

import { spawnSync } from "node:child_process"

/** True if the machine has the program. Otherwise, a message states which tests are skipped. */
export const isInstalled = (program: string, tests: string): boolean => {
  if (spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined) return true
  process.stderr.write(`${program} is not installed, so these tests are skipped: ${tests}.\n`)
  return false
}

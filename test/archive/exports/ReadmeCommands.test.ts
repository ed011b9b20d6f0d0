import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInstalled } from "../../support/counterparts/Programs.ts"
import { unzipped } from "../../support/files/ZipReader.ts"
import { exportFolder } from "./ExportFolder.ts"
import { useExports } from "./Exporting.ts"

const { build, collect, filled, ordered, prove } = useExports()
const { edit, path, remove, unpack } = exportFolder()
const hasPrograms = ["openssl", "jq"].map((program) => isInstalled(program, "the README of an export")).every(Boolean)

let folder = ""
beforeAll(async () => {
  const ours = await filled(2)
  await prove(ours)
  const order = await ordered(ours)
  await build(ours, order)
  folder = unpack(await unzipped((await collect(ours, order)).bytes))
})
afterAll(remove)

/** Runs the commands that follow the line `below` in the README of the export. */
const run = (below: string) => {
  const [, after = ""] = readFileSync(path("README"), "utf8").split(`${below}\n`)
  const commands = after.split("\n").filter((line) => line.startsWith("    "))
  return execFileSync("sh", ["-ec", commands.join("\n")], { cwd: folder, encoding: "utf8", stdio: "pipe" })
}

describe.skipIf(!hasPrograms)("the README of an export", () => {
  it("shows how to check files, seals and the signature without the verifier", () => {
    expect(run("  With sha256sum and jq:")).toContain("manifest.json")
    expect(run("  With openssl 3 and jq, the signature of the statement:")).toContain("Verified Successfully")
    const { records } = JSON.parse(readFileSync(path("seals.json"), "utf8"))
    const { trail } = JSON.parse(readFileSync(path("audit-trail.json"), "utf8"))
    for (const { facts, id, kind } of records) {
      const entries = trail.map(({ canonical }: { canonical: string }) => JSON.parse(canonical).data)
      const last = entries.findLast((data: Record<string, unknown>) => data[`${kind}_id`] === id && "sha256" in data)
      expect(last.sha256).toBe(createHash("sha256").update(facts).digest("hex"))
    }
    expect(records.length).toBeGreaterThan(0)
    edit("checkpoints.json", /"entries": \d+/, '"entries": 1')
    expect(() => run("  With openssl 3 and jq, the signature of the statement:")).toThrow("Command failed")
  })
})

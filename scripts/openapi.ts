/**
 * Writes the OpenAPI document. `--holes` counts elements without a description, `--holes fields` lists such fields.
 * `--diff` writes nothing, and exits with 1 if the document breaks clients of the committed document; `--diff main`
 * compares it with the document in the revision `main`.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { apiDocument } from "../src/ApiDocument.ts"
import { changesBetween } from "./openapi/Diff.ts"

const file = "test/contract/openapi.json"

const width = 120
/** Up to this depth and number of characters, a field, parameter or header is on one line. */
const field_levels = 5
const field_width = 600

const levelsOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0

const isField = (value: unknown, line: string) => line.length <= field_width && levelsOf(value) <= field_levels

/** Puts each field on one line, so that the diff of a change shows the changed fields and nothing else. */
const printed = (value: unknown, indent: string): string => {
  const line = JSON.stringify(value)
  if (typeof value !== "object" || value === null) return line
  if (indent.length + line.length <= width || isField(value, line)) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + printed(part, inner))
    : Object.entries(value).map(([key, part]) => {
        // An example stays on one line: tests check its content, and nobody reviews its layout.
        const text = key === "example" || key === "examples" ? JSON.stringify(part) : printed(part, inner)
        return `${inner}${JSON.stringify(key)}: ${text}`
      })
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`
}

export const openApiText = (): string => `${printed(apiDocument(), "")}\n`

const printDiff = (revision: string) => {
  const committed = execFileSync("git", ["show", `${revision}:${file}`], { encoding: "utf8", maxBuffer: 1e8 })
  const changes = changesBetween(JSON.parse(committed), apiDocument())
  for (const { breaking, what } of changes) console.log(`${breaking ? "breaking  " : "compatible"} ${what}`)
  const count = changes.filter(({ breaking }) => breaking).length
  console.log(count === 0 ? "No breaking change." : `${count} breaking changes.`)
  if (count > 0) process.exitCode = 1
}

if (import.meta.main) {
  const [option, argument] = process.argv.slice(2)
  if (option === "--diff") printDiff(argument ?? "HEAD")
  else writeFileSync(file, openApiText())
  if (option === "--holes") {
    const { undescribed } = await import("../test/contract/document/Undescribed.ts")
    for (const [name, places] of Object.entries(undescribed)) {
      console.log(name === argument ? places.join("\n") : `${name}: ${places.length}`)
    }
  }
}

/** Writes the contract's OpenAPI document to test/contract/openapi.json. */
import { writeFileSync } from "node:fs"
import { apiDocument } from "../src/ApiDocument.ts"

const width = 120

/** Puts a value that fits on one line there, so that the diff of a change shows the change and little else. */
const printed = (value: unknown, indent: string): string => {
  const line = JSON.stringify(value)
  if (typeof value !== "object" || value === null || indent.length + line.length <= width) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + printed(part, inner))
    : Object.entries(value).map(([key, part]) => `${inner}${JSON.stringify(key)}: ${printed(part, inner)}`)
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`
}

export const openApiText = (): string => `${printed(apiDocument(), "")}\n`

if (import.meta.main) writeFileSync("test/contract/openapi.json", openApiText())

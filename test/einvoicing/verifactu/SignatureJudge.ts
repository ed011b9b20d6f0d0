import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

const isThere = existsSync("/usr/bin/xmlsec1")
if (!isThere) process.stderr.write("xmlsec1 is absent, so it judged no signature.\n")

const schema = join(process.env["EINVOICING_RULES"] ?? "", "verifactu-xsd", "EventosSIF.xsd")
const hasSchema = existsSync(schema)
if (!hasSchema) process.stderr.write("The schema of events is absent (EINVOICING_RULES), so it judged nothing.\n")

const written = (texts: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "signed-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return texts.map((text, index) => {
    const path = join(folder, `${index}.xml`)
    writeFileSync(path, text)
    return path
  })
}

/** Throws unless xmlsec1 (Debian) verifies each signature with a certificate that the authority issued. */
export const requireSigned = (documents: ReadonlyArray<string>, authority: string): void => {
  if (!isThere) return
  const [ca = "", ...paths] = written([authority, ...documents])
  const id = ["--id-attr:Id", "http://uri.etsi.org/01903/v1.3.2#:SignedProperties"]
  for (const path of paths) execFileSync("xmlsec1", ["--verify", "--trusted-pem", ca, ...id, path], { stdio: "pipe" })
}

/** Throws unless the official schema accepts each event. */
export const requireEvents = (events: ReadonlyArray<string>): void => {
  if (!hasSchema || events.length === 0) return
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, ...written(events)], { stdio: "pipe" })
}

import { execFile } from "node:child_process"
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { canonicalJson } from "../../../src/platform/events/CanonicalJson.ts"
import { sha256 } from "../../support/files/Digest.ts"

/** The service's private key for signatures, as the tests configure it. */
export const operator = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 9)]),
  format: "der",
  type: "pkcs8"
})
export const rawKey = (key: KeyObject) =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(12).toString("base64")

// oxlint-disable-next-line no-explicit-any -- tests change any field in the files of an export
type Loose = any

/** An export that is unpacked into a folder of its own, to be damaged and verified there. */
export const exportFolder = () => {
  let folder = ""
  const path = (name: string) => join(folder, ...name.split("/"))
  const text = (name: string) => readFileSync(path(name), "utf8")
  const write = (name: string, content: string | Uint8Array) => writeFileSync(path(name), content)
  const edit = (name: string, from: string | RegExp, to: string) => {
    const changed = text(name).replace(from, to)
    if (changed === text(name)) throw new Error(`${name} has no ${from}`)
    write(name, changed)
  }

  const changeJson = (name: string, change: (content: Loose) => void) => {
    const content = JSON.parse(text(name))
    change(content)
    const list = ["trail", "objects", "transmissions", "records"].find((one) => Array.isArray(content[one]))
    if (list === undefined) return write(name, JSON.stringify(content))
    const { [list]: records, ...head } = content
    const lines = records.map((record: unknown) => JSON.stringify(record)).join(",\n")
    write(name, `${JSON.stringify(head).slice(0, -1)},"${list}":[\n${lines}\n]}\n`)
  }

  /** Signs a statement about the changed files, as a forger with this key would. */
  const restate = (key: KeyObject) =>
    changeJson("checkpoints.json", (content) => {
      const { signature: _, ...statement } = content.statement
      for (const name of Object.keys(statement.files)) statement.files[name] = sha256(readFileSync(path(name)))
      const { entries: count, head } = JSON.parse(text("audit-trail.json"))
      Object.assign(statement, { entries: count, head, public_key: rawKey(key) })
      content.statement = {
        ...statement,
        signature: sign(null, Buffer.from(canonicalJson(statement)), key).toString("base64")
      }
    })

  /** Changes the audit chain of the export, and computes all its hashes again. */
  const rehash = (change: (trail: Loose) => void) =>
    changeJson("audit-trail.json", (content) => {
      change(content.trail)
      let hash = "0".repeat(64)
      for (const [index, entry] of content.trail.entries()) {
        const canonical = canonicalJson({ ...JSON.parse(entry.canonical), seq: index + 1 })
        const next = sha256(hash + canonical)
        Object.assign(entry, { seq: index + 1, canonical, previous_hash: hash, hash: next })
        hash = next
      }
      Object.assign(content, { entries: content.trail.length, head: hash })
    })

  const verified = (...parameters: ReadonlyArray<string>) =>
    new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
      const options = { cwd: folder, env: {} }
      execFile(process.execPath, ["verify.mjs", ...parameters], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
      )
    })

  return {
    changeJson,
    edit,
    path,
    rehash,
    restate,
    verified,
    write,
    unpack: (entries: ReadonlyMap<string, Buffer>) => {
      folder = mkdtempSync(join(tmpdir(), "export-"))
      for (const [name, content] of entries) {
        mkdirSync(dirname(path(name)), { recursive: true })
        write(name, content)
      }
      return folder
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

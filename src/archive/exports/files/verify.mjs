/**
 * Checks an export of the archive with nothing but this file, Node 18 or newer, and the other files of the export:
 *
 * node verify.mjs [--key <public key of the operator, in base64>]
 *
 * Exit code 0: all checks passed. 1: the export is damaged or was changed. 2: this is not an export.
 */
import { createHash, createPublicKey, verify } from "node:crypto"
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(fileURLToPath(import.meta.url))
const path = (name) => join(folder, ...name.split("/"))
const findings = new Set()
const convict = (sentence) => findings.add(sentence)
const shown_max = 20

const sha256 = (content) => createHash("sha256").update(content).digest("hex")

const sha256OfFile = async (name) => {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path(name))) hash.update(piece)
  return hash.digest("hex")
}

/** Writes canonical JSON (RFC 8785). */
const canonicalJson = (value) => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  // oxlint-disable-next-line no-array-sort -- Node 18 has no toSorted
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`
}

/** Verifies an Ed25519 signature (RFC 8032) with the 32 bytes of a public key. */
const isSigned = (text, { public_key, signature }) => {
  try {
    const raw = Buffer.from(public_key, "base64")
    const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw])
    const key = createPublicKey({ key: der, format: "der", type: "spki" })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"))
  } catch {
    return false
  }
}

const without = (object, ...names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** `readline` would also end a line at U+2028 and U+2029, which JSON leaves in its texts. */
async function* linesIn(name) {
  let rest = ""
  for await (const piece of createReadStream(path(name), "utf8")) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop()
    yield* lines
  }
  yield rest
}

/** Reads a file that begins with `{..., "<list>":[` record by record (one per line): a chain may not fit in memory. */
async function* recordsIn(name, list, head = {}) {
  const opening = `"${list}":[`
  let isFirst = true
  let isClosed = false
  for await (const line of linesIn(name)) {
    if (isFirst) {
      isFirst = false
      if (!line.endsWith(opening)) throw new Error("another beginning")
      Object.assign(head, JSON.parse(`${line.slice(0, -opening.length).replace(/,$/, "")}}`))
    } else if (line === "]}") isClosed = true
    else if (line !== "" && !isClosed) yield JSON.parse(line.replace(/,$/, ""))
  }
  if (!isClosed) throw new Error("another end")
}

/** Runs a check. If a file cannot be read, that is a finding, and the other checks continue. */
const reading = async (name, check) => {
  try {
    return await check()
  } catch {
    convict(`${name} cannot be read.`)
    return undefined
  }
}

const tables = ["manifest.json", "manifest.csv", "audit-trail.json", "audit-trail.csv", "transmissions.json"]
tables.push("transmissions.csv", "seals.json", "README")

/** Checks the statement that the service signed. It contains the SHA-256 of each file. */
const checkStatement = async (statement, checkpoints) => {
  const text = canonicalJson(without(statement, "signature"))
  if (!isSigned(text, statement)) convict("The statement about the export is not signed by the key that it names.")
  const last = checkpoints.at(-1)
  if (last !== undefined && "public_key" in last && last.public_key !== statement.public_key) {
    convict("The export is signed by another key than its last checkpoint.")
  }
  const asked = process.argv.indexOf("--key")
  if (asked >= 0 && process.argv[asked + 1] !== statement.public_key) {
    convict("The export is signed by another key than the one that you gave.")
  }
  for (const name of tables) {
    if (!existsSync(path(name))) convict(`${name} is missing.`)
    else if ((await sha256OfFile(name)) !== statement.files?.[name])
      convict(`${name} is not the file that was exported.`)
  }
}

const chain_start = "0".repeat(64)
const chain = { heads: new Map(), stored: new Map(), exchanged: new Map(), told: new Map(), seals: new Map() }
const kinds = { invoice: "Invoice", credit_note: "Credit note", payment: "Payment", expense: "Expense" }
let superseded = 0
let unsealed = 0

const seal = (key, sha256, seq) => {
  if (chain.seals.has(key)) superseded += 1
  chain.seals.set(key, { sha256, seq })
}

/** Stores the data of an audit entry that must agree with other files of the export. */
const learn = (action, data, seq) => {
  if (action === "archive.stored") chain.stored.set(data.object_id, data)
  if (action === "archive.transmission_recorded") chain.exchanged.set(data.transmission_id, data)
  if (action === "archive.checkpoint") chain.told.set(data.number, data)
  if (action === "invoice.issue_undone") chain.seals.delete(`invoice ${data.invoice_id}`)
  else if (action === "invoice.issued" || action === "invoice.voided") {
    seal(`invoice ${data.invoice_id}`, data.sha256, seq)
  } else if (action === "credit_note.sent") seal(`credit_note ${data.credit_note_id}`, data.sha256, seq)
  else if (action.startsWith("payment.")) seal(`payment ${data.payment_id}`, data.sha256, seq)
  else if (action.startsWith("expense.")) seal(`expense ${data.expense_id}`, data.sha256, seq)
  else if (action === "books.sealed") {
    for (const { id, kind, sha256 } of data.records) seal(`${kind} ${id}`, sha256, seq)
  }
}

const checkChain = async (statement, heads) => {
  const head = {}
  let seq = 0
  let hash = chain_start
  for await (const entry of recordsIn("audit-trail.json", "trail", head)) {
    seq += 1
    const told = JSON.parse(entry.canonical)
    const expected = sha256(hash + entry.canonical)
    const agrees = told.at === entry.at && told.actor === entry.actor && told.action === entry.action
    if (entry.seq !== seq || told.seq !== seq) convict(`Entry ${seq} of the audit chain is missing.`)
    else if (entry.previous_hash !== hash || entry.hash !== expected || !agrees) {
      convict(`Entry ${seq} of the audit chain is not what was hashed.`)
    }
    seq = entry.seq
    hash = entry.hash
    if (heads.has(seq)) chain.heads.set(seq, hash)
    learn(told.action, told.data, seq)
  }
  const ends = [head, statement].every((one) => one.entries === seq && one.head === hash)
  if (!ends) convict("The audit chain does not end where the export says.")
  return seq
}

/** Checks the signed checkpoints: each states a length and last hash of the chain. */
const checkCheckpoints = (checkpoints, organization_id) => {
  let previous = null
  for (const [index, checkpoint] of checkpoints.entries()) {
    const number = index + 1
    const stored = canonicalJson(checkpoint)
    const text = canonicalJson(without(checkpoint, "signature", "timestamp_token"))
    if (checkpoint.number !== number) convict(`Checkpoint ${number} is missing.`)
    if (!isSigned(text, checkpoint)) convict(`Checkpoint ${checkpoint.number} is not signed by its key.`)
    if (checkpoint.previous !== previous) convict(`Checkpoint ${checkpoint.number} does not follow the previous one.`)
    if (checkpoint.organization_id !== organization_id) {
      convict(`Checkpoint ${checkpoint.number} is another organization's.`)
    }
    if (chain.heads.get(checkpoint.seq) !== checkpoint.head) {
      convict(`The audit chain is not the one of checkpoint ${checkpoint.number}.`)
    }
    const told = chain.told.get(checkpoint.number)
    if (told !== undefined && told.sha256 !== sha256(stored)) {
      convict(`Checkpoint ${checkpoint.number} is not the one that the audit chain names.`)
    }
    previous = sha256(stored)
  }
  for (const number of chain.told.keys()) {
    if (number > checkpoints.length) convict(`Checkpoint ${number}, which the audit chain names, is missing.`)
  }
}

/** True if the data of an audit entry and a record have the same value in every field that both have. */
const agrees = (data, record, renamed) =>
  Object.entries(data).every(([name, value]) => {
    const column = renamed[name] ?? name
    return !(column in record) || String(record[column] ?? "") === String(value ?? "")
  })

const checkObjects = async () => {
  const head = {}
  const paths = new Set()
  let present = 0
  for await (const record of recordsIn("manifest.json", "objects", head)) {
    const { id, object_key, present_in_export, sha256, size_bytes } = record
    const data = chain.stored.get(id)
    // Amounts are compared as numbers, because the manifest writes them with the decimals of their currency.
    const told = data === undefined ? {} : { ...data, amount: data.amount === null ? null : Number(data.amount) }
    const stands = { ...record, amount: record.amount === null ? null : Number(record.amount) }
    if (data === undefined || !agrees(told, stands, { object_id: "id" })) {
      convict(`The audit chain does not know object ${id} as the manifest tells it.`)
    }
    const name = `objects/${object_key}`
    paths.add(name)
    if (!present_in_export) continue
    present += 1
    if (!existsSync(path(name))) convict(`${name} is missing.`)
    else if (statSync(path(name)).size !== size_bytes || (await sha256OfFile(name)) !== sha256) {
      convict(`${name} is not what was archived.`)
    }
  }
  for (const entry of existsSync(path("objects")) ? readdirSync(path("objects"), { recursive: true }) : []) {
    const file = join(path("objects"), String(entry))
    const name = relative(folder, file).split(sep).join("/")
    if (statSync(file).isFile() && !paths.has(name)) convict(`${name} is not in the manifest.`)
  }
  return present
}

const checkExchanges = async () => {
  const missing = new Set(chain.exchanged.keys())
  for await (const record of recordsIn("transmissions.json", "transmissions")) {
    const data = chain.exchanged.get(record.id)
    if (data === undefined || !agrees(data, record, { transmission_id: "id" })) {
      convict(`The audit chain does not know exchange ${record.id} as it is told.`)
    }
    missing.delete(record.id)
  }
  for (const id of missing) convict(`Exchange ${id} is missing.`)
}

/** Checks that the fields of each record have the hash that the audit chain contains as its seal. */
const checkSeals = async () => {
  const missing = new Set(chain.seals.keys())
  let sealed = 0
  for await (const { facts, id, kind } of recordsIn("seals.json", "records")) {
    const key = `${kind} ${id}`
    const told = chain.seals.get(key)
    const named = `${kinds[kind]} ${id}`
    const own = JSON.parse(facts)
    missing.delete(key)
    if (told === undefined) convict(`${named} was never sealed.`)
    else if (kind === "expense" && told.sha256 === undefined) {
      // An earlier version of the service wrote no seals for expenses. The next proof of the service will seal them.
      unsealed += 1
      continue
    } else if (told.sha256 !== sha256(facts) || own.id !== id || own.kind !== kind)
      convict(`${named} is not what was sealed.`)
    sealed += 1
  }
  for (const key of missing) {
    const [kind, id] = key.split(" ")
    convict(`${kinds[kind]} ${id} was sealed and is missing.`)
  }
  return sealed
}

const write = (lines) => process.stdout.write(`${lines.join("\n")}\n`)

const notChecked = (checkpoints, statement) => {
  const stamped = checkpoints.filter(({ timestamp_token }) => typeof timestamp_token === "string").length
  return [
    "Not checked:",
    `- whose key it is: compare ${statement.public_key} with what the operator published, or give it as --key`,
    "- what an operator who has the signing key, the database and the storage has invented as a whole",
    "- anything that happened after the export, and objects that its filters leave out",
    ...(superseded > 0 ? [`- former seals of records that were lawfully changed later: ${superseded}`] : []),
    ...(unsealed > 0 ? [`- ${unsealed} expenses of a former version of the service, which did not seal them`] : []),
    stamped > 0
      ? `- ${stamped} time stamps: "openssl ts -verify -token_in" checks the token over the bytes of the signature`
      : "- when the checkpoints were made: no authority has stamped them"
  ]
}

const main = async () => {
  if (!existsSync(path("checkpoints.json")) || !existsSync(path("manifest.json"))) {
    const missing = existsSync(path("manifest.json")) ? "checkpoints.json" : "manifest.json"
    write([`INVALID: ${missing} is missing.`])
    return existsSync(path("audit-trail.json")) ? 1 : 2
  }
  const read = await reading("checkpoints.json", () => JSON.parse(readFileSync(path("checkpoints.json"), "utf8")))
  const { checkpoints = [], statement = {} } = read ?? {}
  const heads = new Set(checkpoints.map(({ entries, seq }) => seq ?? entries))
  await checkStatement(statement, checkpoints)
  const entries = await reading("audit-trail.json", () => checkChain(statement, heads))
  checkCheckpoints(checkpoints, statement.organization_id)
  const objects = await reading("manifest.json", checkObjects)
  await reading("transmissions.json", checkExchanges)
  const sealed = await reading("seals.json", checkSeals)
  if (findings.size > 0) {
    const more = findings.size - shown_max
    write([...findings].slice(0, shown_max).map((sentence) => `INVALID: ${sentence}`))
    if (more > 0) write([`INVALID: ${more} more findings.`])
    return 1
  }
  write([
    `VALID: ${objects} objects, ${entries} entries of the audit chain, ${checkpoints.length} checkpoints and ` +
      `${sealed} sealed records are what was exported on ${statement.at}.`,
    ...notChecked(checkpoints, statement)
  ])
  return 0
}

process.exitCode = await main()

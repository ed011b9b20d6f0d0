import { isDeepStrictEqual } from "node:util"
import type { Client } from "../Client.ts"
import { unzipped } from "../../../test/support/files/ZipReader.ts"
import { type Answered, sha256Of } from "./Ledger.ts"

const per_page = 100

/** Uses the API to check that what the service told an organization is still true. Returns the findings. */
export const apiAudit = async (client: Client, has_archive: boolean): Promise<ReadonlyArray<string>> => [
  ...(await recordsKept(client)),
  ...(await createdOnce(client)),
  ...(await filesReadable(client)),
  ...(await receiptsRead(client)),
  ...(await linesMatched(client)),
  ...(await exportsWhole(client)),
  ...(has_archive ? await archiveProven(client) : [])
]

/**
 * A record that still has the acknowledged version must be unchanged. A later version is right, too; an earlier one is
 * a finding.
 */
const recordsKept = async (client: Client) => {
  const findings: Array<string> = []
  for (const [path, acknowledged] of client.ledger.records) {
    const { data } = await client.get(path)
    if (data.version < acknowledged.version) findings.push(`${path} lost version ${acknowledged.version}`)
    const isSame = Object.entries(data).every(([field, value]) => isDeepStrictEqual(value, acknowledged[field]))
    if (data.version === acknowledged.version && !isSame) {
      findings.push(`${path} is not as acknowledged: ${JSON.stringify([acknowledged, data])}`)
    }
    if ((acknowledged.number ?? data.number) !== data.number) findings.push(`${path} has another number`)
  }
  return findings
}

const createdOnce = async (client: Client) => {
  const findings: Array<string> = []
  const lists = Map.groupBy(client.ledger.creations, ({ list }) => list)
  for (const [list, creations] of lists) {
    const counts = countsOf(await all(client, list))
    for (const [mark, same] of Map.groupBy(creations, ({ mark }) => mark)) {
      const count = counts.get(mark) ?? 0
      const acknowledged = same.filter((creation) => creation.acknowledged).length
      if (count < acknowledged || count > same.length) {
        findings.push(`${list}: ${mark} is there ${count} times, acknowledged ${acknowledged} of ${same.length} times`)
      }
    }
  }
  return findings
}

const countsOf = (records: ReadonlyArray<Answered>) => {
  const counts = new Map<string, number>()
  for (const record of records) {
    const texts = new Set(Object.values(record).filter((value) => typeof value === "string"))
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

const all = async (client: Client, list: string) => {
  const records: Array<Answered> = []
  for (let page = 1; ; page++) {
    const { data, meta } = await client.get(`${list}?per_page=${per_page}&page=${page}`)
    records.push(...data)
    if (page >= meta.last_page) return records
  }
}

const filesReadable = async (client: Client) => {
  const findings: Array<string> = []
  for (const { sha256, url } of client.ledger.files) {
    if (sha256Of(await client.download(url)) !== sha256) findings.push(`${url} is not what was attached`)
  }
  return findings
}

const receiptsRead = async (client: Client) => {
  const findings: Array<string> = []
  for (const receipt_ref of client.ledger.receipts.keys()) {
    const { data } = await client.get(`/expenses/ocr/${receipt_ref}`)
    if (data.error !== null) findings.push(`receipt ${receipt_ref}: ${JSON.stringify(data.error)}`)
  }
  return findings
}

/** Checks that the matched and the remaining amount of each bank line add up to its amount, and imply its status. */
const linesMatched = async (client: Client) => {
  const lines = await all(client, "/bank-transactions")
  return lines.flatMap(({ amount, id, matched_amount, remaining_amount, status }) => {
    const isWhole = matched_amount >= 0 && cents(matched_amount) + cents(remaining_amount) === cents(Math.abs(amount))
    const isSaid = (status === "matched") === (remaining_amount === 0)
    return isWhole && isSaid ? [] : [`line ${id} is ${status}: ${matched_amount} of ${amount}`]
  })
}

const cents = (amount: number) => Math.round(amount * 100)

const exportsWhole = async (client: Client) => {
  const findings: Array<string> = []
  for (const id of client.ledger.exports) {
    const { data } = await client.get(`/archive/exports/${id}`)
    const content = data.status === "completed" ? await client.download(`/archive/exports/${id}/download`) : undefined
    const files = content === undefined ? [] : (await unzipped(content)).values()
    const isListed = [...files].some((bytes) => sha256Of(bytes) === data.manifest_sha256)
    if (!isListed || data.missing_object_count > 0) findings.push(`export ${id}: ${JSON.stringify(data)}`)
  }
  return findings
}

/** If the clients issued no document, the archive is empty and there is nothing to prove. */
const archiveProven = async (client: Client) => {
  const { data } = await client.get("/archive")
  return data.object_count === 0 || data.integrity_state === "passed" ? [] : [`archive: ${JSON.stringify(data)}`]
}

import { createHash } from "node:crypto"

/**
 * A creation that a client requested. The list at the path `list` may contain at most one record with the text `mark`.
 */
interface Creation {
  readonly list: string
  readonly mark: string
  acknowledged: boolean
}

interface StoredFile {
  readonly url: string
  readonly sha256: string
}

// oxlint-disable-next-line no-explicit-any -- records of all kinds, which are not validated
export type Answered = any

/** The requests of one organization's clients, and the answers that the service must keep true. */
export class Ledger {
  readonly creations: Array<Creation> = []
  /** The latest answer about each record, by the path of the record. */
  readonly records = new Map<string, Answered>()
  readonly files: Array<StoredFile> = []
  /** SHA-256 of the file of each receipt, by the receipt's ref. */
  readonly receipts = new Map<string, string>()
  readonly exports: Array<number> = []
  /** Addresses to which the service reported a message as delivered. */
  readonly delivered: Array<string> = []
  /** Addresses to which a second message was sent, because it was unknown whether the first one was delivered. */
  readonly resent = new Set<string>()
  readonly findings: Array<string> = []
  requests = 0
  retries = 0
  writes = 0

  tries(list: string, mark: string): Creation {
    const creation = { list, mark, acknowledged: false }
    this.creations.push(creation)
    return creation
  }

  record(path: string, data: Answered) {
    this.writes++
    this.records.set(path, data)
  }

  file(url: string, bytes: Uint8Array) {
    this.files.push({ url, sha256: sha256Of(bytes) })
  }

  found(finding: string) {
    this.findings.push(finding)
  }
}

export const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

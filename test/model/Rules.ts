import type { Expected } from "./Books.ts"
import type { Customer, Record } from "./Records.ts"

export const refused = (status: number, code: string): Expected => ({ status, code })
export const invalid = refused(422, "validation_failed")

export const isThere = <R extends Record>(record: R | undefined): record is R => record !== undefined && !record.deleted

/** Wraps a rule about the record in the request's path; without the record, the answer is 404. */
export const on =
  <R extends Record, Args extends ReadonlyArray<unknown>>(rule: (record: R, ...args: Args) => Expected) =>
  (record: R | undefined, ...args: Args) =>
    isThere(record) ? rule(record, ...args) : refused(404, "not_found")

/** True if neither the request nor the customer names a recipient. */
export const isUnreachable = ({ deleted, email }: Customer, named: boolean) => !named && (deleted || !email)

export const unnumbered = { id: 0, number: null, deleted: false }

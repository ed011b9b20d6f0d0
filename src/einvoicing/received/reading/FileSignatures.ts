import { DateTime } from "effect"
import { type Timestamp, timestampOf } from "../../../kernel/Calendar.ts"
import {
  type Certificate,
  isTrusted,
  isValidAt,
  type SignatureCheck
} from "../../../platform/crypto/signatures/Certificates.ts"
import { cut } from "../../../kernel/Text.ts"
import { type FileSignature, text_characters_max } from "./Reading.ts"

export interface Judging {
  /** Certificates of the authorities that are trusted to certify signers; empty if there is no trust list. */
  readonly trusted: ReadonlyArray<Certificate>
  readonly arrived_at: Timestamp
}

/** Judges the signatures of a file, which may be signed more than once; null for an unsigned file. */
export const judged = (checks: ReadonlyArray<SignatureCheck>, judging: Judging): FileSignature | null => {
  const check = checks.find(({ fits }) => fits !== true) ?? checks[0]
  if (check === undefined) return null
  const [certificate] = check.certificates
  const at_ms = DateTime.toEpochMillis(DateTime.makeUnsafe(judging.arrived_at))
  const trust = trustOf(check, judging.trusted, at_ms)
  const notes = [
    check.reason,
    certificate === undefined || isValidAt(certificate, at_ms)
      ? null
      : "The certificate of the signer was not valid when the file arrived.",
    notes_on_trust[trust]
  ].filter((note) => note !== null)
  return {
    status: check.fits === null ? "unchecked" : check.fits ? "valid" : "invalid",
    signer: certificate === undefined ? null : nameIn(certificate),
    certificate_valid_until: certificate === undefined ? null : timestampOf(certificate.validToDate),
    trust,
    note: notes.length === 0 ? null : notes.join(" ")
  }
}

const trustOf = (
  { certificates, fits }: SignatureCheck,
  trusted: ReadonlyArray<Certificate>,
  at_ms: number
): FileSignature["trust"] => {
  if (trusted.length === 0 || fits === null) return "unchecked"
  return fits && isTrusted(certificates, trusted, at_ms) ? "trusted" : "untrusted"
}

const notes_on_trust = {
  trusted: null,
  untrusted: "The signer's certificate was not issued by an authority of the trust list.",
  unchecked: "The signature is not checked against a trust list."
}

const nameIn = ({ subject }: Certificate): string =>
  cut(/^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll("\n", ", "), text_characters_max)

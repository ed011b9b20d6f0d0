import { frenchBilling, peppolBilling, type Profile } from "../invoice/Profiles.ts"

/** A document format that this service writes. */
export interface Form {
  /** The name of the format in the API. */
  readonly code: string
  readonly profile: Profile
}

/** The format that leaves, or the reason why none can leave. */
export type FormOffer =
  | { readonly isWritten: true; readonly form: Form }
  | { readonly isWritten: false; readonly specification: string; readonly reason: string }

const written = (form: Form) => ({ isWritten: true, form }) as const

/** The law of the country requires a format that this service does not write. */
export const unwritten = (specification: string, reason: string): FormOffer => ({
  isWritten: false,
  specification,
  reason
})

export const peppolBis = written({ code: "peppol-bis-billing-3", profile: peppolBilling })

export const frenchCtc = written({ code: "fr-ctc-ubl", profile: frenchBilling })

import { createRequire } from "node:module"

/** Packages that only few requests or workers need. */
interface Packages {
  readonly "@peculiar/asn1-cms": typeof import("@peculiar/asn1-cms")
  readonly "@peculiar/asn1-pfx": typeof import("@peculiar/asn1-pfx")
  readonly "@peculiar/asn1-schema": typeof import("@peculiar/asn1-schema")
  readonly "@peculiar/asn1-tsp": typeof import("@peculiar/asn1-tsp")
  readonly "@peculiar/asn1-x509": typeof import("@peculiar/asn1-x509")
  readonly asn1js: typeof import("asn1js")
  readonly "csv-parse/sync": typeof import("csv-parse/sync")
  readonly imapflow: typeof import("imapflow")
  readonly marked: typeof import("marked")
  readonly nodemailer: typeof import("nodemailer")
  readonly "nodemailer/lib/mail-composer": typeof import("nodemailer/lib/mail-composer")
  readonly "postal-mime": typeof import("postal-mime")
  readonly "xml-crypto": typeof import("xml-crypto")
  readonly yaml: typeof import("yaml")
}

const require = createRequire(import.meta.url)

/**
 * Returns a function that loads the package when it is first called. Loaded at the start, these packages would cost a
 * sixth of its processor time and 35 MB; one alone takes at most a tenth of a second.
 */
export const atFirstUse =
  <Name extends keyof Packages>(name: Name): (() => Packages[Name]) =>
  () =>
    // Boundary: Node does not know the types of the packages that it loads.
    require(name) as Packages[Name]

import type * as Cms from "@peculiar/asn1-cms"
import type * as Pfx from "@peculiar/asn1-pfx"
import type * as Asn1 from "@peculiar/asn1-schema"
import type * as Tsp from "@peculiar/asn1-tsp"
import type * as X509 from "@peculiar/asn1-x509"
import type * as Ber from "asn1js"
import type * as Csv from "csv-parse/sync"
import type * as Imap from "imapflow"
import type * as Marked from "marked"
import type * as Nodemailer from "nodemailer"
import type * as MailComposer from "nodemailer/lib/mail-composer"
import type * as PostalMime from "postal-mime"
import type * as XmlCrypto from "xml-crypto"
import type * as Yaml from "yaml"
import { createRequire } from "node:module"

/** Packages that only few requests or workers need. */
interface Packages {
  readonly "@peculiar/asn1-cms": typeof Cms
  readonly "@peculiar/asn1-pfx": typeof Pfx
  readonly "@peculiar/asn1-schema": typeof Asn1
  readonly "@peculiar/asn1-tsp": typeof Tsp
  readonly "@peculiar/asn1-x509": typeof X509
  readonly asn1js: typeof Ber
  readonly "csv-parse/sync": typeof Csv
  readonly imapflow: typeof Imap
  readonly marked: typeof Marked
  readonly nodemailer: typeof Nodemailer
  readonly "nodemailer/lib/mail-composer": typeof MailComposer
  readonly "postal-mime": typeof PostalMime
  readonly "xml-crypto": typeof XmlCrypto
  readonly yaml: typeof Yaml
}

const require = createRequire(import.meta.url)

/**
 * Loading all `Packages` at the start would take a sixth of its processor time and 35 MB. Loading one of them at its
 * first use takes at most a tenth of a second.
 */
export const atFirstUse =
  <Name extends keyof Packages>(name: Name): (() => Packages[Name]) =>
  () =>
    // Boundary: TypeScript does not know the types of packages that are loaded by name.
    require(name) as Packages[Name]

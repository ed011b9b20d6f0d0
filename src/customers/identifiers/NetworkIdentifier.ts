import { Option } from "effect"
import type { Validator } from "stdnum"
import { luhnChecksumValidate, mod97base10Validate } from "stdnum/lib/cjs/util/checksum.js"
import { CountryCode } from "../../kernel/Country.ts"
import { countryOf } from "../../kernel/Union.ts"
import { peppol_schemes } from "./PeppolSchemes.ts"
import * as stdnum from "./Stdnum.ts"
import { isBulgarianVat, isCzechVat, isLatvianVat, isSlovakVat } from "./VatNumbers.ts"

interface IdentifierScheme {
  /** The only country that uses the scheme; null for an international scheme. */
  readonly country: CountryCode | null
  readonly label: string
  readonly pattern: RegExp
  readonly example: string
  /** Verifies the check digits; absent when the scheme has none or they are not public. */
  readonly hasValidCheckDigits?: (value: string) => boolean
}

/** Finds a scheme by its EAS code ("0208") or by its name in the API ("FR:SIRET"). */
export const identifierScheme = (scheme: string): Option.Option<IdentifierScheme> =>
  Option.fromNullishOr(schemes.get(easCode(scheme)))

/** Normalizes the name of a scheme: "FR:SIRET" becomes "0009". */
export const easCode = (scheme: string): string => codes.get(scheme) ?? scheme

/**
 * Explains what is wrong with an identifier; the text completes "The field ...". A scheme of four digits must be on
 * Peppol's code list. The value of a scheme without rules here is only checked for its length and its characters.
 */
export const checkIdentifier = (scheme: string, value: string): Option.Option<string> => {
  if (iso_6523.test(scheme) && !peppol_schemes.has(scheme)) {
    return Option.some(`cannot be of scheme ${scheme}, which is not on Peppol's code list.`)
  }
  const known = Option.getOrUndefined(identifierScheme(scheme))
  if (known === undefined) {
    return unknown_scheme_pattern.test(value)
      ? Option.none()
      : Option.some("must be 1 to 50 characters without spaces.")
  }
  const isValid = known.pattern.test(value) && (known.hasValidCheckDigits?.(value) ?? true)
  return isValid ? Option.none() : Option.some(`must be a valid ${known.label}, such as ${known.example}.`)
}

const iso_6523 = /^\d{4}$/
const unknown_scheme_pattern = /^[!-~]{1,50}$/

const by =
  (...validators: ReadonlyArray<Pick<Validator, "validate">>) =>
  (value: string): boolean =>
    validators.some((validator) => validator.validate(value).isValid)

const schemeOf = (
  country: string | null,
  label: string,
  pattern: RegExp,
  example: string,
  hasValidCheckDigits?: (value: string) => boolean
): IdentifierScheme => ({
  country: country === null ? null : CountryCode.make(country),
  label,
  pattern,
  example,
  ...(hasValidCheckDigits === undefined ? {} : { hasValidCheckDigits })
})

/** Describes a scheme of VAT numbers with a country prefix, as Peppol's code list requires. */
const vat = (adjective: string, example: string, hasValidCheckDigits?: (value: string) => boolean): IdentifierScheme =>
  schemeOf(
    countryOf(example.slice(0, 2)),
    `${adjective} VAT number`,
    new RegExp(`^${example.slice(0, 2)}[0-9A-Z+*]{2,14}$`),
    example,
    hasValidCheckDigits
  )

/**
 * Accepts SIREN, SIREN_SIRET, SIREN_SIRET_ROUTINGCODE and SIREN_SUFFIX (XP Z12-013). A SIRET must begin with the SIREN.
 */
const isFrenchAddress = (value: string): boolean => {
  const [, siren = "", siret] = /^(\d+)(?:_(\d{14})(?:_|$))?/.exec(value) ?? []
  return by(stdnum.frSiren)(siren) && (siret === undefined || (siret.startsWith(siren) && by(stdnum.frSiret)(siret)))
}

/** Checks the characters without hyphens by ISO 7064 MOD 97-10. */
const hasMod97 = (value: string): boolean => mod97base10Validate(value.replaceAll("-", ""))

/** An OVT code is 0037, the business ID without its hyphen, and a suffix that the organization chooses. */
const isOvtCode = (value: string): boolean => by(stdnum.fiYtunnus)(`${value.slice(4, 11)}-${value.slice(11, 12)}`)

/** A German electronic address begins with the W-IdNr, whose check digit is that of a VAT number. */
const isGermanAddress = (value: string): boolean => by(stdnum.deVat)(value.slice(0, 11))

/** The codice fiscale of a person has 16 characters; that of a company is its VAT number. */
const isCodiceFiscale = by(stdnum.itCodicefiscale, stdnum.itIva)

const aliases = { "FR:SIREN": "0002", "FR:SIRET": "0009", "FR:CTC": "0225" } as const
const codes: ReadonlyMap<string, string> = new Map(Object.entries(aliases))

/** The keys are codes of Peppol's Electronic Address Scheme list (EAS). */
const by_code = {
  "0002": schemeOf("FR", "SIREN number", /^\d{9}$/, "732829320", by(stdnum.frSiren)),
  "0007": schemeOf("SE", "Swedish organisation number", /^\d{10}$/, "5560360793", by(stdnum.seOrgnr)),
  "0009": schemeOf("FR", "SIRET number", /^\d{14}$/, "73282932000074", by(stdnum.frSiret)),
  "0060": schemeOf(null, "D-U-N-S number", /^\d{9}$/, "150483782"),
  "0088": schemeOf(null, "GLN", /^\d{13}$/, "5412345000013", by(stdnum.genEan)),
  "0106": schemeOf("NL", "KVK number", /^\d{8}$/, "17001910"),
  "0183": schemeOf("CH", "Swiss UID", /^CHE\d{9}$/, "CHE100155212", by(stdnum.chUid)),
  "0184": schemeOf("DK", "Danish CVR number", /^(?:DK)?\d{8}$/, "13585628", by(stdnum.dkCvr)),
  "0190": schemeOf("NL", "OIN", /^\d{20}$/, "00000001003214345000"),
  "0191": schemeOf("EE", "Estonian company code", /^\d{8}$/, "12345678", by(stdnum.eeRegistrikood)),
  "0192": schemeOf("NO", "Norwegian organisation number", /^\d{9}$/, "923609016", by(stdnum.noOrgnr)),
  "0196": schemeOf("IS", "Icelandic kennitala", /^\d{10}$/, "4504013150", by(stdnum.isKennitala)),
  "0201": schemeOf("IT", "IPA code", /^[0-9A-Z]{6}$/, "UFBLG1"),
  "0204": schemeOf("DE", "Leitweg-ID", /^\d{2,12}(?:-[0-9A-Z]{1,30})?-\d{2}$/, "04011000-1234512345-06", hasMod97),
  "0208": schemeOf("BE", "Belgian enterprise number", /^[01]\d{9}$/, "0202239951", by(stdnum.beVat)),
  "0210": schemeOf("IT", "codice fiscale", /^(?:\d{11}|[0-9A-Z]{16})$/, "RCCMNL83S18D969H", isCodiceFiscale),
  "0211": schemeOf("IT", "partita IVA", /^IT\d{11}$/, "IT00743110157", by(stdnum.itIva)),
  "0216": schemeOf("FI", "Finnish OVT code", /^0037\d{8}[0-9A-Z]{0,5}$/, "003720774740", isOvtCode),
  "0225": schemeOf(
    "FR",
    "French e-invoicing address",
    // A routing code may contain underscores, but a suffix may not.
    /^\d{9}(?:_\d{14}(?:_[0-9A-Za-z+./_-]{1,100})?|_[0-9A-Za-z+./-]{1,100})?$/,
    "732829320_73282932000074",
    isFrenchAddress
  ),
  "0242": schemeOf(
    null,
    "Peppol service provider identifier",
    /^\d{6}(?:-[0-9A-Z_]{3,12}(?:\.[0-9A-Z._~-]{3,24})?)?$/,
    "000123"
  ),
  "0244": schemeOf("NG", "Nigerian Tax ID", /^\d{13}$/, "2522412345671", luhnChecksumValidate),
  "0245": schemeOf("SK", "Slovak tax identification number", /^\d{10}$/, "2022749619", (value) =>
    isSlovakVat(`SK${value}`)
  ),
  "0246": schemeOf(
    "DE",
    "German electronic business address",
    /^DE\d{9}(?:-\d{5})?(?:\.[0-9A-Z]{1,8})?$/,
    "DE136695976",
    isGermanAddress
  ),
  "0248": schemeOf("OM", "Omani VAT identification number", /^OM\d{10}$/, "OM1100003554"),
  "9910": vat("Hungarian", "HU12892312", by(stdnum.huAnum)),
  "9914": vat("Austrian", "ATU13585627", by(stdnum.atUid)),
  "9920": vat("Spanish", "ESB58378431", by(stdnum.esNif)),
  "9925": vat("Belgian", "BE0202239951", by(stdnum.beVat)),
  "9926": vat("Bulgarian", "BG175074752", isBulgarianVat),
  "9927": vat("Swiss", "CHE107787577MWST", by(stdnum.chVat)),
  "9928": vat("Cypriot", "CY10259033P", by(stdnum.cyVat)),
  "9929": vat("Czech", "CZ25123891", isCzechVat),
  "9930": vat("German", "DE136695976", by(stdnum.deVat)),
  "9931": vat("Estonian", "EE100931558", by(stdnum.eeKmkr)),
  "9932": vat("British", "GB980780684", by(stdnum.gbVat)),
  "9933": vat("Greek", "EL094259216", by(stdnum.grVat)),
  "9934": vat("Croatian", "HR33392005961", by(stdnum.hrOib)),
  "9935": vat("Irish", "IE6433435F", by(stdnum.ieVat)),
  "9936": vat("Liechtenstein", "LI12345"),
  "9937": vat("Lithuanian", "LT119511515", by(stdnum.ltPvm)),
  "9938": vat("Luxembourg", "LU15027442", by(stdnum.luTva)),
  "9939": vat("Latvian", "LV40003521600", isLatvianVat),
  "9943": vat("Maltese", "MT11679112", by(stdnum.mtVat)),
  "9944": vat("Dutch", "NL004495445B01", by(stdnum.nlBtw)),
  "9945": vat("Polish", "PL8567346215", by(stdnum.plNip)),
  "9946": vat("Portuguese", "PT501964843", by(stdnum.ptNif)),
  "9947": vat("Romanian", "RO18547290", by(stdnum.roCui)),
  "9949": vat("Slovenian", "SI50223054", by(stdnum.siDdv)),
  "9950": vat("Slovak", "SK2022749619", isSlovakVat),
  "9957": vat("French", "FR40303265045", by(stdnum.frTva)),
  // The Sistema di Interscambio is not on Peppol, so its addresses have no EAS code.
  "IT:SDI": schemeOf("IT", "codice destinatario", /^[0-9A-Z]{6,7}$/, "M5UXCR1"),
  "IT:PEC": schemeOf(
    "IT",
    "PEC address",
    /^[!-?A-~]{1,64}@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+$/,
    "fatture@pec.example.it"
  ),
  // Mexico is not on Peppol, so its scheme has no EAS code.
  "MX:RFC": schemeOf("MX", "RFC", /^[A-Z&\u00d1]{3,4}\d{6}[0-9A-Z]{3}$/, "GODE561231GR8", by(stdnum.mxRfc))
} satisfies Readonly<Record<string, IdentifierScheme>>

const schemes: ReadonlyMap<string, IdentifierScheme> = new Map(Object.entries(by_code))

export type SchemeName = keyof typeof by_code | keyof typeof aliases

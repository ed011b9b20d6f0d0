/** The EU member states, which Directive 2006/112/EC binds, and Northern Ireland (XI), where it applies to goods. */
export const eu_countries: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ")
)

/** Returns the prefix of the VAT identifiers of a country, which is the country's code except for Greece. */
export const prefixOf = (country: string): string => (country === "GR" ? "EL" : country)

/** Returns the country whose VAT identifiers have this prefix. */
export const countryOf = (prefix: string): string => (prefix === "EL" ? "GR" : prefix)

/** Prefixes of VAT identifiers that the EU's register (VIES) knows. */
export const eu_prefixes: ReadonlySet<string> = new Set(Array.from(eu_countries, prefixOf))

/**
 * The structures that the EU's register (VIES) and the Spanish AEAT give for VAT identifiers without their prefixes.
 * Spain is absent, because the check digits of its numbers are known.
 */
export const union_structures: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    AT: /^U\d{8}$/,
    BE: /^\d{10}$/,
    BG: /^\d{9,10}$/,
    CY: /^\d{8}[A-Z]$/,
    CZ: /^\d{8,10}$/,
    DE: /^\d{9}$/,
    DK: /^\d{8}$/,
    EE: /^\d{9}$/,
    EL: /^\d{9}$/,
    FI: /^\d{8}$/,
    FR: /^[0-9A-Z]{2}\d{9}$/,
    HR: /^\d{11}$/,
    HU: /^\d{8}$/,
    IE: /^[0-9A-Z+*]{8,9}$/,
    IT: /^\d{11}$/,
    LT: /^(\d{9}|\d{12})$/,
    LU: /^\d{8}$/,
    LV: /^\d{11}$/,
    MT: /^\d{8}$/,
    NL: /^[0-9A-Z+*]{12}$/,
    PL: /^\d{10}$/,
    PT: /^\d{9}$/,
    RO: /^[1-9]\d{1,9}$/,
    SE: /^\d{12}$/,
    SI: /^\d{8}$/,
    SK: /^\d{10}$/,
    XI: /^([0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/
  })
)

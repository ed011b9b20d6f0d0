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

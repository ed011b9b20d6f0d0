import { Option } from "effect"
import type { ProviderCode } from "../providers/Network.ts"
import { denmark } from "./Denmark.ts"
import type { EinvoicingCountry } from "./EinvoicingCountry.ts"
import { france } from "./France.ts"
import { germany } from "./Germany.ts"
import { greece } from "./Greece.ts"
import { iceland } from "./Iceland.ts"
import { italy } from "./Italy.ts"
import { netherlands } from "./Netherlands.ts"
import { norway } from "./Norway.ts"
import { peppol_countries } from "./PeppolCountries.ts"
import { spain } from "./Spain.ts"
import { sweden } from "./Sweden.ts"
import { unwritten_countries } from "./UnwrittenCountries.ts"

const all: ReadonlyArray<EinvoicingCountry> = [
  ...peppol_countries,
  netherlands,
  germany,
  sweden,
  norway,
  denmark,
  iceland,
  france,
  italy,
  spain,
  greece,
  ...unwritten_countries
]

const byCode = new Map(all.flatMap((country) => [country.code, ...country.territories].map((code) => [code, country])))

/** Returns the country whose law applies, which for an overseas territory (RE) may be another one (FR). */
export const einvoicingCountry = (code: string | null): Option.Option<EinvoicingCountry> =>
  Option.fromUndefinedOr(byCode.get(code ?? ""))

export const countriesOf = (network: ProviderCode): ReadonlyArray<EinvoicingCountry> =>
  all.filter(({ network: own }) => own === network)

/** True if the network accepts a format that this service writes. */
export const canSend = (network: ProviderCode): boolean =>
  countriesOf(network).some(({ form }) => form.domestic.isWritten)

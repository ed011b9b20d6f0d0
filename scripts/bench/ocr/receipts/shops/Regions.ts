import type { Language } from "../Receipt.ts"

/** Goods with the same tax rates. `staple` is food with the lower rate; `special` is newspapers, herbs and flowers. */
export type Goods = "standard" | "food" | "staple" | "special" | "meal" | "lodging" | "transport" | "medicine"

export interface Region {
  readonly country: string
  readonly language: Language
  readonly currency: string
  readonly signs: ReadonlyArray<string>
  /** Rates in tenths of a percent. */
  readonly rates: Readonly<Record<Goods, number>>
  readonly decimal: "," | "."
  readonly thousands: string
  /**
   * `Y` is the year, `y` its last two digits, `m` and `d` two digits, `b` the short name of the month, `B` the long
   * one.
   */
  readonly dates: ReadonlyArray<string>
  readonly taxName: ReadonlyArray<string>
  /** Patterns for `Random.code`. */
  readonly taxNumber: ReadonlyArray<string>
  readonly phone: string
  readonly postal: string
  readonly cities: ReadonlyArray<string>
  readonly streets: ReadonlyArray<string>
  readonly streetNumberFirst: boolean
  /** Cash payments are rounded to a multiple of this number of cents; absent if they are not rounded. */
  readonly cash_step?: number
  /** True if tax is added to the prices at the till. */
  readonly tax_on_top?: boolean
}

const rates = (
  standard: number,
  food: number,
  staple: number,
  special: number,
  meal: number,
  lodging: number,
  transport: number,
  medicine: number
): Region["rates"] => ({ standard, food, staple, special, meal, lodging, transport, medicine })

const france = {
  language: "fr",
  decimal: ",",
  thousands: " ",
  dates: ["d/m/Y", "d/m/y", "d/m/Y", "d-m-Y", "d.m.Y", "d B Y"],
  taxName: ["TVA"],
  streets: ["rue de la République", "avenue Victor Hugo", "place du Marché", "rue des Tilleuls", "bd Carnot"],
  streetNumberFirst: true
} as const

const netherlands = {
  language: "nl",
  currency: "EUR",
  signs: ["€", "EUR", "", "€ "],
  decimal: ",",
  thousands: ".",
  dates: ["d-m-Y", "d-m-y", "d/m/Y", "d-m-Y", "d b Y", "d/m/y"],
  taxName: ["BTW", "BTW", "Btw"],
  streets: ["Dorpsstraat", "Kerkstraat", "Stationsplein", "Molenweg", "Grote Markt", "Hoofdstraat"],
  streetNumberFirst: false,
  cash_step: 5
} as const

const germany = {
  language: "de",
  decimal: ",",
  thousands: ".",
  dates: ["d.m.Y", "d.m.y", "d.m.Y", "d.m.Y", "d. B Y", "Y-m-d"],
  streets: ["Hauptstraße", "Bahnhofstr.", "Am Markt", "Lindenweg", "Goethestr.", "Industriestr."],
  streetNumberFirst: false
} as const

const britain = {
  language: "en",
  decimal: ".",
  thousands: ",",
  taxName: ["VAT"],
  streets: ["High Street", "Station Road", "Market Square", "Church Lane", "Mill Road", "Quay Street"],
  streetNumberFirst: true
} as const

export const regions: ReadonlyArray<Region> = [
  {
    ...france,
    country: "FR",
    currency: "EUR",
    signs: ["€", " €", "EUR", "", " €"],
    rates: rates(200, 55, 55, 21, 100, 100, 100, 21),
    taxNumber: ["SIRET ### ### ### 000##", "TVA FR## #########", "N° TVA: FR###########", "RCS B ### ### ###"],
    phone: "Tél. 0# ## ## ## ##",
    postal: "####0",
    cities: ["Lyon", "Nantes", "Dijon", "Annecy", "Rennes", "Bordeaux", "Amiens"]
  },
  {
    ...france,
    country: "BE",
    currency: "EUR",
    signs: ["€", " EUR", "", "€ "],
    rates: rates(210, 60, 60, 0, 120, 60, 60, 60),
    taxNumber: ["TVA BE 0###.###.###", "BE0#########"],
    phone: "Tél. +32 # ### ## ##",
    postal: "1##0",
    cities: ["Bruxelles", "Namur", "Liège", "Wavre", "Mons"],
    cash_step: 5
  },
  {
    ...netherlands,
    country: "NL",
    rates: rates(210, 90, 90, 90, 90, 90, 90, 90),
    taxNumber: ["BTW NL#########B01", "BTW-nr: NL#########B02", "KVK ########"],
    phone: "Tel: 0##-#######",
    postal: "#### @@",
    cities: ["Utrecht", "Zwolle", "Breda", "Leiden", "Groningen", "Arnhem"]
  },
  {
    ...netherlands,
    country: "BE",
    rates: rates(210, 60, 60, 0, 120, 60, 60, 60),
    taxNumber: ["BTW BE 0###.###.###", "Ondernemingsnr BE0#########"],
    phone: "Tel 0## ## ## ##",
    postal: "9###",
    cities: ["Gent", "Antwerpen", "Leuven", "Brugge", "Mechelen"]
  },
  {
    ...germany,
    country: "DE",
    currency: "EUR",
    signs: ["EUR", "€", "", " €", " EUR"],
    rates: rates(190, 70, 70, 70, 190, 70, 70, 190),
    taxName: ["MwSt", "MwSt.", "MWST", "USt"],
    taxNumber: ["USt-IdNr. DE#########", "Steuer-Nr. ###/####/####", "St.Nr. ##/###/#####", "UID Nr.: DE#########"],
    phone: "Tel. 0##1 / ######",
    postal: "#####",
    cities: ["Freiburg", "Kassel", "Leipzig", "Ulm", "Münster", "Regensburg", "Hamburg"]
  },
  {
    ...germany,
    country: "AT",
    currency: "EUR",
    signs: ["EUR", "€", "€ ", ""],
    rates: rates(200, 100, 100, 130, 100, 100, 100, 100),
    taxName: ["MwSt", "USt", "Ust."],
    taxNumber: ["UID: ATU########", "ATU########"],
    phone: "Tel.: 0### / ## ## ##",
    postal: "####",
    cities: ["Wien", "Graz", "Salzburg", "Linz", "Innsbruck"]
  },
  {
    ...germany,
    country: "CH",
    currency: "CHF",
    signs: ["CHF", "Fr.", "CHF ", ""],
    decimal: ".",
    thousands: "'",
    rates: rates(81, 26, 26, 26, 81, 38, 81, 26),
    taxName: ["MWST", "MwSt"],
    taxNumber: ["CHE-###.###.### MWST", "MWST-Nr. CHE-###.###.###"],
    phone: "Tel. 0## ### ## ##",
    postal: "8###",
    cities: ["Zürich", "Luzern", "Bern", "Chur", "Winterthur"],
    cash_step: 5
  },
  {
    country: "ES",
    language: "es",
    currency: "EUR",
    signs: ["€", " €", "", "Euros", " EUR"],
    rates: rates(210, 100, 40, 40, 100, 100, 100, 40),
    decimal: ",",
    thousands: ".",
    dates: ["d/m/Y", "d/m/y", "d-m-Y", "d/m/Y", "d b Y", "d-m-y"],
    taxName: ["IVA", "I.V.A."],
    taxNumber: ["CIF: B########", "NIF: A-########", "N.I.F. B########", "C.I.F.: A########"],
    phone: "Tlf. 9## ## ## ##",
    postal: "2####",
    cities: ["Madrid", "Valencia", "Bilbao", "Sevilla", "Zaragoza", "Girona"],
    streets: ["C/ Mayor", "Avda. de la Constitución", "Plaza de España", "Calle del Carmen", "Paseo de Gracia"],
    streetNumberFirst: false
  },
  {
    country: "IT",
    language: "it",
    currency: "EUR",
    signs: ["€", "EURO", "", "€ ", "EUR"],
    rates: rates(220, 100, 40, 50, 100, 100, 100, 100),
    decimal: ",",
    thousands: ".",
    dates: ["d/m/Y", "d-m-Y", "d/m/y", "d-m-y", "d.m.Y", "d/m/Y"],
    taxName: ["IVA"],
    taxNumber: ["P.IVA 0##########", "P. IVA: 0##########", "Partita IVA 1##########", "P.I. ###########"],
    phone: "Tel. 0## #######",
    postal: "3####",
    cities: ["Torino", "Bologna", "Verona", "Firenze", "Padova", "Bari"],
    streets: ["Via Roma", "Corso Italia", "Piazza Garibaldi", "Via Dante Alighieri", "Viale Europa"],
    streetNumberFirst: false
  },
  {
    ...britain,
    country: "IE",
    currency: "EUR",
    signs: ["€", "€", "EUR ", ""],
    rates: rates(230, 0, 0, 90, 135, 135, 135, 0),
    dates: ["d/m/Y", "d/m/y", "d b Y", "d-b-y", "d-m-Y"],
    taxNumber: ["VAT No. IE#######@", "VAT Reg IE #######@A"],
    phone: "Tel: (0#) ### ####",
    postal: "D0# @#@#",
    cities: ["Dublin 2", "Cork", "Galway", "Limerick"]
  },
  {
    ...britain,
    country: "GB",
    currency: "GBP",
    signs: ["£", "£", "GBP ", ""],
    rates: rates(200, 0, 0, 50, 200, 200, 0, 200),
    dates: ["d/m/Y", "d/m/y", "d b Y", "d-b-y", "d B Y"],
    taxNumber: ["VAT Reg No: ### #### ##", "VAT No GB#########", "VAT Number: GB ### #### ##"],
    phone: "Tel: 0#### ######",
    postal: "@@# #@@",
    cities: ["Leeds", "Bristol", "York", "London", "Cardiff", "Norwich"]
  },
  {
    ...britain,
    country: "US",
    currency: "USD",
    signs: ["$", "$", "$", "USD ", ""],
    rates: rates(83, 0, 0, 0, 83, 83, 0, 0),
    dates: ["m/d/Y", "m/d/y", "b d, Y", "Y-m-d"],
    taxName: ["Sales Tax", "Tax", "TAX"],
    taxNumber: ["Store #####", "Merchant ID ########"],
    phone: "(###) 555-01##",
    postal: "@@ 9####",
    cities: ["Portland", "Austin", "Madison", "Boulder", "Oakland"],
    streets: ["Main St", "Elm Street", "Lincoln Ave", "Oak Blvd", "2nd Avenue"],
    tax_on_top: true
  }
]

export const months: Readonly<Record<Language, string>> = {
  en: "January February March April May June July August September October November December",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  nl: "januari februari maart april mei juni juli augustus september oktober november december",
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
}

/** Short names of the months, for languages in which they are not the first three letters. */
export const shortMonths: Readonly<Partial<Record<Language, string>>> = {
  fr: "janv févr mars avr mai juin juil août sept oct nov déc",
  nl: "jan feb mrt apr mei jun jul aug sep okt nov dec"
}

import type { DocumentLanguage } from "../DocumentLabels.ts"

const en = {
  /** Names of taxes without a tax rate, by UNCL 5305 category. */
  untaxed: {
    Z: "No tax",
    E: "Exempt from tax",
    AE: "Reverse charge",
    K: "Intra-Community supply",
    G: "Export",
    O: "Not subject to VAT"
  },
  /** Texts before and after the number of an article: "Article 132(1)(b) of Directive 2006/112/EC". */
  article: ["Article", "of Directive 2006/112/EC"],
  /** The wording that Article 226(14) of the Directive prescribes. */
  margin: {
    used_goods: "Margin scheme – Second-hand goods",
    art: "Margin scheme – Works of art",
    antiques: "Margin scheme – Collector’s items and antiques"
  },
  /** Stands before the code of the organization's currency: "Tax in EUR". */
  tax_in: "Tax in",
  exchange_rate: "Exchange rate"
} as const

type Texts<Labels> = { readonly [key in keyof Labels]: Labels[key] extends string ? string : Texts<Labels[key]> }
type TaxLabels = Texts<typeof en>

const fr: TaxLabels = {
  untaxed: {
    Z: "Sans TVA",
    E: "Exonéré de TVA",
    AE: "Autoliquidation",
    K: "Livraison intracommunautaire",
    G: "Exportation",
    O: "Non soumis à la TVA"
  },
  article: ["article", "de la directive 2006/112/CE"],
  margin: {
    used_goods: "Régime particulier – Biens d’occasion",
    art: "Régime particulier – Objets d’art",
    antiques: "Régime particulier – Objets de collection et d’antiquité"
  },
  tax_in: "TVA en",
  exchange_rate: "Taux de change"
}

const nl: TaxLabels = {
  untaxed: {
    Z: "Geen btw",
    E: "Vrijgesteld van btw",
    AE: "Btw verlegd",
    K: "Intracommunautaire levering",
    G: "Uitvoer",
    O: "Niet aan btw onderworpen"
  },
  article: ["artikel", "van Richtlijn 2006/112/EG"],
  margin: {
    used_goods: "Bijzondere regeling – gebruikte goederen",
    art: "Bijzondere regeling – kunstvoorwerpen",
    antiques: "Bijzondere regeling – voorwerpen voor verzamelingen of antiquiteiten"
  },
  tax_in: "Btw in",
  exchange_rate: "Wisselkoers"
}

const de: TaxLabels = {
  untaxed: {
    Z: "Ohne USt.",
    E: "Steuerfrei",
    AE: "Steuerschuldnerschaft des Leistungsempfängers",
    K: "Innergemeinschaftliche Lieferung",
    G: "Ausfuhrlieferung",
    O: "Nicht steuerbar"
  },
  article: ["Artikel", "der Richtlinie 2006/112/EG"],
  margin: {
    used_goods: "Gebrauchtgegenstände/Sonderregelung",
    art: "Kunstgegenstände/Sonderregelung",
    antiques: "Sammlungsstücke und Antiquitäten/Sonderregelung"
  },
  tax_in: "USt. in",
  exchange_rate: "Wechselkurs"
}

const es: TaxLabels = {
  untaxed: {
    Z: "Sin impuesto",
    E: "Exento de IVA",
    AE: "Inversión del sujeto pasivo",
    K: "Entrega intracomunitaria",
    G: "Exportación",
    O: "No sujeto a IVA"
  },
  article: ["artículo", "de la Directiva 2006/112/CE"],
  margin: {
    used_goods: "Régimen especial de los bienes usados",
    art: "Régimen especial de los objetos de arte",
    antiques: "Régimen especial de las antigüedades y objetos de colección"
  },
  tax_in: "Impuesto en",
  exchange_rate: "Tipo de cambio"
}

const it: TaxLabels = {
  untaxed: {
    Z: "Senza IVA",
    E: "Esente da IVA",
    AE: "Inversione contabile",
    K: "Cessione intracomunitaria",
    G: "Cessione all’esportazione",
    O: "Fuori campo IVA"
  },
  article: ["articolo", "della direttiva 2006/112/CE"],
  margin: {
    used_goods: "Regime del margine – beni usati",
    art: "Regime del margine – oggetti d’arte",
    antiques: "Regime del margine – oggetti di antiquariato o da collezione"
  },
  tax_in: "IVA in",
  exchange_rate: "Cambio"
}

export const taxLabels: Readonly<Record<DocumentLanguage, TaxLabels>> = { en, fr, nl, de, es, it }

import type { DocumentLanguage } from "../printing/DocumentLabels.ts"

/** Labels of a quote in addition to the labels of every document. */
interface QuoteLabels {
  readonly quote: string
  readonly quote_number: string
  readonly quote_date: string
  readonly valid_until: string
  /** The title above the signature fields. */
  readonly accepted: string
  readonly place_and_date: string
  readonly name_and_signature: string
}

export const quoteLabels: Readonly<Record<DocumentLanguage, QuoteLabels>> = {
  en: {
    quote: "Quote",
    quote_number: "Quote number",
    quote_date: "Quote date",
    valid_until: "Valid until",
    accepted: "Accepted",
    place_and_date: "Place and date",
    name_and_signature: "Name and signature"
  },
  fr: {
    quote: "Devis",
    quote_number: "Numéro de devis",
    quote_date: "Date du devis",
    valid_until: "Valable jusqu’au",
    accepted: "Bon pour accord",
    place_and_date: "Lieu et date",
    name_and_signature: "Nom et signature"
  },
  nl: {
    quote: "Offerte",
    quote_number: "Offertenummer",
    quote_date: "Offertedatum",
    valid_until: "Geldig tot en met",
    accepted: "Voor akkoord",
    place_and_date: "Plaats en datum",
    name_and_signature: "Naam en handtekening"
  },
  de: {
    quote: "Angebot",
    quote_number: "Angebotsnummer",
    quote_date: "Angebotsdatum",
    valid_until: "Gültig bis",
    accepted: "Angebot angenommen",
    place_and_date: "Ort und Datum",
    name_and_signature: "Name und Unterschrift"
  },
  es: {
    quote: "Presupuesto",
    quote_number: "Número de presupuesto",
    quote_date: "Fecha de emisión",
    valid_until: "Válido hasta el",
    accepted: "Aceptado",
    place_and_date: "Lugar y fecha",
    name_and_signature: "Nombre y firma"
  },
  it: {
    quote: "Preventivo",
    quote_number: "Numero preventivo",
    quote_date: "Data di emissione",
    valid_until: "Valido fino al",
    accepted: "Per accettazione",
    place_and_date: "Luogo e data",
    name_and_signature: "Nome e firma"
  }
}

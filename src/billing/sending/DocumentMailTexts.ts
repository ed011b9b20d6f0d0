import type { DocumentLanguage } from "../printing/DocumentLabels.ts"

interface KindTexts {
  readonly subject: string
  /** Opening sentence of a message with the PDF; `ready` opens a message without the PDF. */
  readonly attached: string
  readonly ready: string
  /** Label of the document's date; a credit note has no date. */
  readonly date?: string
  readonly open: string
}

/**
 * Texts of the emails that deliver documents. They name a document by the same word as the document itself.
 * `{organization}`, `{customer}` and `{number}` are placeholders.
 */
interface DocumentMailTexts {
  readonly greeting: string
  readonly total: string
  readonly confidential: string
  readonly regards: string
  readonly invoice: KindTexts
  readonly quote: KindTexts
  readonly credit_note: KindTexts
}

export interface Fill {
  readonly organization: string
  readonly customer: string
  readonly number: string
  readonly total: string
  readonly date: string
}

/** Replaces each placeholder `{name}` by its value. */
export const fill = (text: string, values: Fill): string =>
  text.replaceAll(/\{(organization|customer|number|total|date)\}/g, (_, name: keyof Fill) => values[name])

const en: DocumentMailTexts = {
  greeting: "Dear {customer},",
  total: "Total",
  confidential: "The link is meant for you: whoever has it can see the document.",
  regards: "Kind regards,",
  invoice: {
    subject: "Invoice {number} from {organization}",
    attached: "Please find attached our invoice {number}.",
    ready: "Our invoice {number} is ready for you.",
    date: "Payable by",
    open: "View the invoice"
  },
  quote: {
    subject: "Quote {number} from {organization}",
    attached: "Please find attached our quote {number}.",
    ready: "Our quote {number} is ready for you.",
    date: "Valid until",
    open: "View the quote and answer it"
  },
  credit_note: {
    subject: "Credit note {number} from {organization}",
    attached: "Please find attached our credit note {number}.",
    ready: "Our credit note {number} is ready for you.",
    open: "View the credit note"
  }
}

const fr: DocumentMailTexts = {
  greeting: "Bonjour {customer},",
  total: "Total TTC",
  confidential: "Ce lien vous est destiné : quiconque le possède peut voir le document.",
  regards: "Cordialement,",
  invoice: {
    subject: "Facture {number} de {organization}",
    attached: "Veuillez trouver ci-joint notre facture {number}.",
    ready: "Notre facture {number} est à votre disposition.",
    date: "À payer au plus tard le",
    open: "Voir la facture"
  },
  quote: {
    subject: "Devis {number} de {organization}",
    attached: "Veuillez trouver ci-joint notre devis {number}.",
    ready: "Notre devis {number} est à votre disposition.",
    date: "Valable jusqu’au",
    open: "Voir le devis et y répondre"
  },
  credit_note: {
    subject: "Avoir {number} de {organization}",
    attached: "Veuillez trouver ci-joint notre avoir {number}.",
    ready: "Notre avoir {number} est à votre disposition.",
    open: "Voir l’avoir"
  }
}

const nl: DocumentMailTexts = {
  greeting: "Beste {customer},",
  total: "Totaal",
  confidential: "De link is voor u bedoeld: wie hem heeft, kan het document zien.",
  regards: "Met vriendelijke groeten,",
  invoice: {
    subject: "Factuur {number} van {organization}",
    attached: "In de bijlage vindt u onze factuur {number}.",
    ready: "Onze factuur {number} staat voor u klaar.",
    date: "Te betalen uiterlijk op",
    open: "Factuur bekijken"
  },
  quote: {
    subject: "Offerte {number} van {organization}",
    attached: "In de bijlage vindt u onze offerte {number}.",
    ready: "Onze offerte {number} staat voor u klaar.",
    date: "Geldig tot en met",
    open: "Offerte bekijken en beantwoorden"
  },
  credit_note: {
    subject: "Creditnota {number} van {organization}",
    attached: "In de bijlage vindt u onze creditnota {number}.",
    ready: "Onze creditnota {number} staat voor u klaar.",
    open: "Creditnota bekijken"
  }
}

const de: DocumentMailTexts = {
  greeting: "Guten Tag {customer}!",
  total: "Gesamtbetrag",
  confidential: "Der Link ist für Sie bestimmt: Wer ihn hat, kann das Dokument sehen.",
  regards: "Mit freundlichen Grüßen",
  invoice: {
    subject: "Rechnung {number} von {organization}",
    attached: "Anbei erhalten Sie unsere Rechnung {number}.",
    ready: "Unsere Rechnung {number} liegt für Sie bereit.",
    date: "Zahlbar bis",
    open: "Rechnung ansehen"
  },
  quote: {
    subject: "Angebot {number} von {organization}",
    attached: "Anbei erhalten Sie unser Angebot {number}.",
    ready: "Unser Angebot {number} liegt für Sie bereit.",
    date: "Gültig bis",
    open: "Angebot ansehen und beantworten"
  },
  credit_note: {
    subject: "Rechnungskorrektur {number} von {organization}",
    attached: "Anbei erhalten Sie unsere Rechnungskorrektur {number}.",
    ready: "Unsere Rechnungskorrektur {number} liegt für Sie bereit.",
    open: "Rechnungskorrektur ansehen"
  }
}

const es: DocumentMailTexts = {
  greeting: "Hola, {customer}:",
  total: "Total",
  confidential: "El enlace es para usted: quien lo tenga puede ver el documento.",
  regards: "Un cordial saludo,",
  invoice: {
    subject: "Factura {number} de {organization}",
    attached: "Adjuntamos nuestra factura {number}.",
    ready: "Nuestra factura {number} está a su disposición.",
    date: "A pagar hasta el",
    open: "Ver la factura"
  },
  quote: {
    subject: "Presupuesto {number} de {organization}",
    attached: "Adjuntamos nuestro presupuesto {number}.",
    ready: "Nuestro presupuesto {number} está a su disposición.",
    date: "Válido hasta el",
    open: "Ver el presupuesto y responder"
  },
  credit_note: {
    subject: "Nota de crédito {number} de {organization}",
    attached: "Adjuntamos nuestra nota de crédito {number}.",
    ready: "Nuestra nota de crédito {number} está a su disposición.",
    open: "Ver la nota de crédito"
  }
}

const it: DocumentMailTexts = {
  greeting: "Gentile {customer},",
  total: "Totale",
  confidential: "Il link è destinato a Lei: chi lo possiede può vedere il documento.",
  regards: "Cordiali saluti,",
  invoice: {
    subject: "Fattura {number} di {organization}",
    attached: "In allegato trova la nostra fattura {number}.",
    ready: "La nostra fattura {number} è a Sua disposizione.",
    date: "Da pagare entro il",
    open: "Visualizza la fattura"
  },
  quote: {
    subject: "Preventivo {number} di {organization}",
    attached: "In allegato trova il nostro preventivo {number}.",
    ready: "Il nostro preventivo {number} è a Sua disposizione.",
    date: "Valido fino al",
    open: "Visualizza il preventivo e rispondi"
  },
  credit_note: {
    subject: "Nota di credito {number} di {organization}",
    attached: "In allegato trova la nostra nota di credito {number}.",
    ready: "La nostra nota di credito {number} è a Sua disposizione.",
    open: "Visualizza la nota di credito"
  }
}

export const documentMailTexts: Readonly<Record<DocumentLanguage, DocumentMailTexts>> = { en, fr, nl, de, es, it }

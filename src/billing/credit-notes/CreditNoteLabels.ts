import type { DocumentLanguage } from "../printing/DocumentLabels.ts"

const en = {
  credit_note: "Credit note",
  credit_note_number: "Credit note number",
  issue_date: "Issue date",
  original_invoice: "For invoice",
  invoice_date: "Invoice date",
  reason: "Reason",
  amount_credited: "Amount credited",
  not_stamped: "Not yet stamped by the tax authority.",
  stamped_at: "Stamped",
  scan_to_verify: "Scan to verify with the tax authority"
}

/** What only a credit note says; the rest is in DocumentLabels. */
export type CreditNoteLabels = typeof en

const fr: CreditNoteLabels = {
  credit_note: "Avoir",
  credit_note_number: "Numéro d’avoir",
  issue_date: "Date d’émission",
  original_invoice: "Sur facture",
  invoice_date: "Date de facture",
  reason: "Motif",
  amount_credited: "Montant crédité",
  not_stamped: "Pas encore visé par l’administration fiscale.",
  stamped_at: "Visé le",
  scan_to_verify: "Scannez pour vérifier auprès de l’administration"
}

const nl: CreditNoteLabels = {
  credit_note: "Creditnota",
  credit_note_number: "Nummer creditnota",
  issue_date: "Datum",
  original_invoice: "Bij factuur",
  invoice_date: "Factuurdatum",
  reason: "Reden",
  amount_credited: "Gecrediteerd bedrag",
  not_stamped: "Nog niet bekrachtigd door de belastingdienst.",
  stamped_at: "Bekrachtigd",
  scan_to_verify: "Scan om bij de belastingdienst te controleren"
}

const de: CreditNoteLabels = {
  // Not "Gutschrift": in German tax law that is an invoice written by the customer (§ 14 UStG).
  credit_note: "Rechnungskorrektur",
  credit_note_number: "Korrekturnummer",
  issue_date: "Datum",
  original_invoice: "Zu Rechnung",
  invoice_date: "Rechnungsdatum",
  reason: "Grund",
  amount_credited: "Gutgeschriebener Betrag",
  not_stamped: "Noch nicht von der Finanzverwaltung freigegeben.",
  stamped_at: "Freigegeben",
  scan_to_verify: "Zum Prüfen bei der Finanzverwaltung scannen"
}

const es: CreditNoteLabels = {
  credit_note: "Nota de crédito",
  credit_note_number: "Número de nota",
  issue_date: "Fecha de emisión",
  original_invoice: "De la factura",
  invoice_date: "Fecha de factura",
  reason: "Motivo",
  amount_credited: "Importe abonado",
  not_stamped: "Aún sin timbrar por la autoridad fiscal.",
  stamped_at: "Timbrado",
  scan_to_verify: "Escanee para verificar ante la autoridad fiscal"
}

const it: CreditNoteLabels = {
  credit_note: "Nota di credito",
  credit_note_number: "Numero nota",
  issue_date: "Data di emissione",
  original_invoice: "Su fattura",
  invoice_date: "Data fattura",
  reason: "Causale",
  amount_credited: "Importo stornato",
  not_stamped: "Non ancora vidimata dall’autorità fiscale.",
  stamped_at: "Vidimata",
  scan_to_verify: "Inquadra per verificare presso l’autorità fiscale"
}

export const creditNoteLabels: Readonly<Record<DocumentLanguage, CreditNoteLabels>> = { en, fr, nl, de, es, it }

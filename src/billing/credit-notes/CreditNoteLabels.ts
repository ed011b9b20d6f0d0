import type { DocumentLanguage } from "../printing/DocumentLabels.ts"

const en = {
  credit_note: "Credit note",
  /** Spanish law requires this title (Real Decreto 1619/2012, art. 15). */
  corrective_invoice: "Corrective invoice",
  credit_note_number: "Credit note number",
  issue_date: "Issue date",
  original_invoice: "For invoice",
  invoice_date: "Invoice date",
  reason: "Reason",
  amount_credited: "Amount credited",
  not_stamped: "Not yet stamped by the tax authority.",
  stamped_at: "Stamped",
  scan_to_verify: "Scan to verify with the tax authority",
  type: "Type",
  /** Names of the UNTDID 1001 codes in `CreditNote.ts`. */
  types: {
    "81": "Credit note for goods or services",
    "83": "Credit note for financial adjustments",
    "261": "Self-billed credit note",
    "262": "Global credit note",
    "381": "Credit note",
    "396": "Factored credit note",
    "502": "Self-billed factored credit note",
    "503": "Credit note on a prepayment invoice",
    "532": "Forwarder’s credit note"
  }
}

/** Labels of credit notes only; `DocumentLabels` has the common labels. */
export type CreditNoteLabels = typeof en

const fr: CreditNoteLabels = {
  credit_note: "Avoir",
  corrective_invoice: "Facture rectificative",
  credit_note_number: "Numéro d’avoir",
  issue_date: "Date d’émission",
  original_invoice: "Sur facture",
  invoice_date: "Date de facture",
  reason: "Motif",
  amount_credited: "Montant crédité",
  not_stamped: "Pas encore visé par l’administration fiscale.",
  stamped_at: "Visé le",
  scan_to_verify: "Scannez pour vérifier auprès de l’administration",
  type: "Type",
  types: {
    "81": "Avoir sur biens ou services",
    "83": "Avoir pour ajustement financier",
    "261": "Avoir, autofacturation",
    "262": "Avoir remise globale",
    "381": "Avoir",
    "396": "Avoir affacturé",
    "502": "Avoir affacturé, autofacturation",
    "503": "Avoir sur facture d’acompte",
    "532": "Avoir de transitaire"
  }
}

const nl: CreditNoteLabels = {
  credit_note: "Creditnota",
  corrective_invoice: "Correctiefactuur",
  credit_note_number: "Nummer creditnota",
  issue_date: "Datum",
  original_invoice: "Bij factuur",
  invoice_date: "Factuurdatum",
  reason: "Reden",
  amount_credited: "Gecrediteerd bedrag",
  not_stamped: "Nog niet bekrachtigd door de belastingdienst.",
  stamped_at: "Bekrachtigd",
  scan_to_verify: "Scan om bij de belastingdienst te controleren",
  type: "Type",
  types: {
    "81": "Creditnota voor goederen of diensten",
    "83": "Creditnota voor financiële aanpassing",
    "261": "Creditnota uitgereikt door afnemer",
    "262": "Globale creditnota",
    "381": "Creditnota",
    "396": "Gefactorde creditnota",
    "502": "Gefactorde creditnota uitgereikt door afnemer",
    "503": "Creditnota op voorschotfactuur",
    "532": "Creditnota van expediteur"
  }
}

const de: CreditNoteLabels = {
  // The title is not "Gutschrift", which in German tax law is an invoice written by the customer (§ 14 UStG).
  credit_note: "Rechnungskorrektur",
  corrective_invoice: "Rechnungskorrektur",
  credit_note_number: "Korrekturnummer",
  issue_date: "Datum",
  original_invoice: "Zu Rechnung",
  invoice_date: "Rechnungsdatum",
  reason: "Grund",
  amount_credited: "Gutgeschriebener Betrag",
  not_stamped: "Noch nicht von der Finanzverwaltung freigegeben.",
  stamped_at: "Freigegeben",
  scan_to_verify: "Zum Prüfen bei der Finanzverwaltung scannen",
  type: "Art",
  types: {
    "81": "Korrektur zu Waren oder Leistungen",
    "83": "Korrektur wegen finanzieller Anpassung",
    "261": "Korrektur im Gutschriftverfahren",
    "262": "Sammelkorrektur",
    "381": "Rechnungskorrektur",
    "396": "Abgetretene Rechnungskorrektur",
    "502": "Abgetretene Korrektur im Gutschriftverfahren",
    "503": "Korrektur einer Anzahlungsrechnung",
    "532": "Korrektur des Spediteurs"
  }
}

const es: CreditNoteLabels = {
  credit_note: "Nota de crédito",
  corrective_invoice: "Factura rectificativa",
  credit_note_number: "Número de nota",
  issue_date: "Fecha de emisión",
  original_invoice: "De la factura",
  invoice_date: "Fecha de factura",
  reason: "Motivo",
  amount_credited: "Importe abonado",
  not_stamped: "Aún sin timbrar por la autoridad fiscal.",
  stamped_at: "Timbrado",
  scan_to_verify: "Escanee para verificar ante la autoridad fiscal",
  type: "Tipo",
  types: {
    "81": "Abono de bienes o servicios",
    "83": "Abono por ajuste financiero",
    "261": "Abono emitido por el destinatario",
    "262": "Abono global",
    "381": "Nota de crédito",
    "396": "Abono cedido a factoring",
    "502": "Abono cedido emitido por el destinatario",
    "503": "Abono de factura de anticipo",
    "532": "Abono de transitario"
  }
}

const it: CreditNoteLabels = {
  credit_note: "Nota di credito",
  corrective_invoice: "Fattura rettificativa",
  credit_note_number: "Numero nota",
  issue_date: "Data di emissione",
  original_invoice: "Su fattura",
  invoice_date: "Data fattura",
  reason: "Causale",
  amount_credited: "Importo stornato",
  not_stamped: "Non ancora vidimata dall’autorità fiscale.",
  stamped_at: "Vidimata",
  scan_to_verify: "Inquadra per verificare presso l’autorità fiscale",
  type: "Tipo",
  types: {
    "81": "Nota di credito per beni o servizi",
    "83": "Nota di credito per rettifica finanziaria",
    "261": "Nota di credito in autofatturazione",
    "262": "Nota di credito globale",
    "381": "Nota di credito",
    "396": "Nota di credito ceduta al factor",
    "502": "Nota di credito ceduta in autofatturazione",
    "503": "Nota di credito su fattura di acconto",
    "532": "Nota di credito dello spedizioniere"
  }
}

export const creditNoteLabels: Readonly<Record<DocumentLanguage, CreditNoteLabels>> = { en, fr, nl, de, es, it }

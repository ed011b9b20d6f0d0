import type { DocumentLanguage } from "../DocumentLabels.ts"

const en = {
  share_capital: "Share capital",
  managing_directors: "Management",
  national_tax_number: "Tax office number",
  your_national_tax_number: "Your tax office number",
  late_payment: "Late payment",
  /** French Commercial Code, articles L441-9, L441-10 and D441-5. */
  french_penalty:
    "Penalties for late payment: the rate that the European Central Bank applied to its most recent refinancing " +
    "operation plus 10 percentage points, due from the day after the due date.",
  french_recovery: "Fixed compensation for recovery costs in case of late payment: €40.",
  french_discount: "No discount for early payment."
}

/** Labels and texts of the seller's legal particulars. */
type SellerLabels = typeof en

const fr: SellerLabels = {
  share_capital: "Capital social",
  managing_directors: "Direction",
  national_tax_number: "N° fiscal",
  your_national_tax_number: "Votre n° fiscal",
  late_payment: "Conditions de règlement",
  french_penalty:
    "Pénalités de retard : taux d’intérêt appliqué par la Banque centrale européenne à son opération de " +
    "refinancement la plus récente majoré de 10 points de pourcentage, exigibles dès le lendemain de l’échéance.",
  french_recovery: "Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 €.",
  french_discount: "Pas d’escompte pour paiement anticipé."
}

const nl: SellerLabels = {
  share_capital: "Kapitaal",
  managing_directors: "Bestuur",
  national_tax_number: "Fiscaal nummer",
  your_national_tax_number: "Uw fiscaal nummer",
  late_payment: "Laattijdige betaling",
  french_penalty:
    "Boete bij laattijdige betaling: de rentevoet van de recentste herfinancieringstransactie van de Europese " +
    "Centrale Bank verhoogd met 10 procentpunten, verschuldigd vanaf de dag na de vervaldatum.",
  french_recovery: "Forfaitaire vergoeding voor invorderingskosten bij laattijdige betaling: € 40.",
  french_discount: "Geen korting bij vroegtijdige betaling."
}

const de: SellerLabels = {
  share_capital: "Stammkapital",
  managing_directors: "Geschäftsführung",
  national_tax_number: "Steuernummer",
  your_national_tax_number: "Ihre Steuernummer",
  late_payment: "Zahlungsverzug",
  french_penalty:
    "Verzugszinsen: Zinssatz der jüngsten Refinanzierungsoperation der Europäischen Zentralbank zuzüglich " +
    "10 Prozentpunkten, fällig ab dem Tag nach der Fälligkeit.",
  french_recovery: "Pauschale für Beitreibungskosten bei Zahlungsverzug: 40 €.",
  french_discount: "Kein Skonto bei vorzeitiger Zahlung."
}

const es: SellerLabels = {
  share_capital: "Capital social",
  managing_directors: "Administración",
  national_tax_number: "N.º fiscal",
  your_national_tax_number: "Su n.º fiscal",
  late_payment: "Demora en el pago",
  french_penalty:
    "Penalización por demora: tipo de interés aplicado por el Banco Central Europeo a su operación de " +
    "refinanciación más reciente más 10 puntos porcentuales, exigible desde el día siguiente al vencimiento.",
  french_recovery: "Indemnización fija por gastos de cobro en caso de demora: 40 €.",
  french_discount: "Sin descuento por pronto pago."
}

const it: SellerLabels = {
  share_capital: "Capitale sociale",
  managing_directors: "Amministrazione",
  national_tax_number: "Codice fiscale",
  your_national_tax_number: "Vostro codice fiscale",
  late_payment: "Ritardo di pagamento",
  french_penalty:
    "Interessi di mora: tasso applicato dalla Banca centrale europea alla sua più recente operazione di " +
    "rifinanziamento maggiorato di 10 punti percentuali, esigibili dal giorno successivo alla scadenza.",
  french_recovery: "Indennizzo forfettario per spese di recupero in caso di ritardo: 40 €.",
  french_discount: "Nessuno sconto per pagamento anticipato."
}

export const sellerLabels: Readonly<Record<DocumentLanguage, SellerLabels>> = { en, fr, nl, de, es, it }

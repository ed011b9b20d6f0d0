import type { Labels } from "./en.ts"

export const de: Labels = {
  document: {
    invoice: "Rechnung",
    draft: "Entwurf",
    invoice_number: "Rechnungsnummer",
    issue_date: "Rechnungsdatum",
    due_date: "Fällig am",
    payment_reference: "Verwendungszweck",
    your_tax_number: "Ihre USt-IdNr.",
    description: "Beschreibung",
    quantity: "Menge",
    unit: "Einheit",
    unit_price: "Einzelpreis",
    discount: "Rabatt",
    tax: "USt.",
    net: "Netto",
    before_discount: "Vor Rabatt",
    subtotal: "Zwischensumme",
    tax_on: "auf",
    rounding: "Rundung",
    total: "Gesamtbetrag",
    paid: "Bezahlt",
    due_before_credit: "Zahlbetrag vor Gutschrift",
    credited: "Gutgeschrieben",
    refunded: "Erstattet",
    overpaid: "Überzahlt, zu erstatten",
    amount_due: "Zahlbetrag",
    payment: "Zahlung",
    beneficiary: "Empfänger",
    reference: "Verwendungszweck",
    scan_to_pay: "Mit der Banking-App scannen und bezahlen",
    notes: "Hinweise",
    terms: "Bedingungen",
    cash_discount: {
      whole: "{percent} Skonto bei Zahlung innerhalb von {days}.",
      part: "{percent} Skonto auf {base} bei Zahlung innerhalb von {days}.",
      days: "Tag|Tagen"
    },
    tax_notes: "Steuerlicher Hinweis",
    exemptions: {
      E: "Steuerfrei",
      AE: "Steuerschuldnerschaft des Leistungsempfängers",
      K: "Steuerfreie innergemeinschaftliche Lieferung",
      G: "Steuerfreie Ausfuhrlieferung",
      O: "Nicht steuerbar"
    },
    tax_number: "USt-IdNr.",
    registration_number: "Registernummer",
    piece: "Stk."
  },
  units: {
    DZN: "Dtzd.",
    LS: "pauschal",
    PR: "Paar",
    SET: "Satz|Sätze",
    XBX: "Karton|Kartons",
    XPK: "Pkg."
  },
  details: {
    delivery_date: "Leistungsdatum",
    delivery_period: "Leistungszeitraum",
    delivery_address: "Lieferadresse",
    purchase_order: "Ihre Bestellung",
    buyer_reference: "Ihre Referenz",
    contract_reference: "Vertrag",
    project_reference: "Projekt",
    operation_nature: "Art der Leistung",
    natures: { goods: "Lieferung", services: "Sonstige Leistung", mixed: "Lieferung und sonstige Leistung" },
    corrective_cause: "Grund der Berichtigung",
    lines_total: "Summe der Positionen",
    prepaid: "Vorausbezahlt",
    payment_method: "Zahlungsart",
    methods: { bank_transfer: "Überweisung", direct_debit: "Lastschrift", card: "Karte", cash: "Bar" },
    mandate_reference: "Mandatsreferenz",
    creditor_identifier: "Gläubiger-ID",
    debited_iban: "Belastetes Konto",
    card_holder: "Karteninhaber"
  },
  tax: {
    untaxed: {
      Z: "Ohne USt.",
      E: "Steuerfrei",
      AE: "Steuerschuldnerschaft des Leistungsempfängers",
      K: "Innergemeinschaftliche Lieferung",
      G: "Ausfuhrlieferung",
      O: "Nicht steuerbar"
    },
    article: { before: "Artikel", after: "der Richtlinie 2006/112/EG" },
    margin: {
      used_goods: "Gebrauchtgegenstände/Sonderregelung",
      art: "Kunstgegenstände/Sonderregelung",
      antiques: "Sammlungsstücke und Antiquitäten/Sonderregelung"
    },
    tax_in: "USt. in",
    exchange_rate: "Wechselkurs"
  },
  seller: {
    share_capital: "Stammkapital",
    managing_directors: "Geschäftsführung",
    national_tax_number: "Steuernummer",
    your_national_tax_number: "Ihre Steuernummer",
    late_payment: "Zahlungsverzug",
    french_penalty:
      "Verzugszinsen: Zinssatz der jüngsten Refinanzierungsoperation der Europäischen Zentralbank zuzüglich 10 Prozentpunkten, fällig ab dem Tag nach der Fälligkeit.",
    french_recovery: "Pauschale für Beitreibungskosten bei Zahlungsverzug: 40 €.",
    french_discount: "Kein Skonto bei vorzeitiger Zahlung.",
    belgian_repayment: "Die Mehrwertsteuer ist an den Staat zurückzuzahlen, soweit sie ursprünglich abgezogen wurde."
  },
  sandbox: {
    notice:
      "Test: Dieses Dokument lief über ein simuliertes E-Rechnungs-Netz. Kein Netz und keine Steuerbehörde hat es erhalten.",
    not_cleared: "Simulation: Die Steuerbehörde hat dieses Dokument nicht freigegeben.",
    reference: "Testreferenz"
  },
  credit_note: {
    credit_note: "Rechnungskorrektur",
    corrective_invoice: "Rechnungskorrektur",
    credit_note_number: "Korrekturnummer",
    corrective_invoice_number: "Korrekturnummer",
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
  },
  quote: {
    quote: "Angebot",
    quote_number: "Angebotsnummer",
    quote_date: "Angebotsdatum",
    valid_until: "Gültig bis",
    accepted: "Angebot angenommen",
    place_and_date: "Ort und Datum",
    name_and_signature: "Name und Unterschrift"
  },
  receipt: {
    title: "Zahlungsbeleg",
    number: "Zur Rechnung",
    paid_on: "Bezahlt am",
    amount: "Betrag",
    total: "Summe der Eingänge",
    other: "Andere"
  },
  state: {
    open: "Offen",
    due: "Heute fällig",
    overdue: "Überfällig",
    part_paid: "Teilweise bezahlt",
    paid: "Bezahlt",
    void: "Ungültig",
    credited: "Gutgeschrieben",
    awaiting: "Wartet auf Ihre Antwort",
    paid_in_full: "Diese Rechnung ist vollständig bezahlt. Es ist nichts zu zahlen.",
    voided: "Diese Rechnung ist ungültig. Bitte bezahlen Sie sie nicht.",
    credited_in_full: "Diese Rechnung wurde gutgeschrieben. Es ist nichts zu zahlen.",
    overpaid: "Es wurde mehr bezahlt, als zu zahlen ist. Die Differenz ist zu erstatten."
  },
  portal: {
    from: "Von",
    to: "An",
    lines: "Positionen",
    download: "PDF herunterladen",
    attachments: "Anhänge",
    question: "Nehmen Sie dieses Angebot an?",
    accept: "Angebot annehmen",
    decline: "Angebot ablehnen",
    decline_question: "Lieber ablehnen",
    reason: "Grund (freiwillig)",
    accepted: "Sie haben dieses Angebot angenommen. Vielen Dank!",
    rejected: "Sie haben dieses Angebot abgelehnt.",
    expired_quote: "Dieses Angebot ist nicht mehr gültig.",
    converted: "Dieses Angebot wurde angenommen, die Rechnung folgt.",
    look_again: "Ihre Antwort konnte nicht erfasst werden: Das Angebot ist nicht mehr offen oder wurde geändert.",
    busy: "Das PDF konnte gerade nicht erstellt werden. Bitte versuchen Sie es in einer Minute erneut.",
    too_complex: "Dieses Dokument ist zu umfangreich für ein PDF. Sie sehen es vollständig auf dieser Seite.",
    file_busy: "Die Datei konnte gerade nicht abgerufen werden. Bitte versuchen Sie es in einer Minute erneut.",
    closed: {
      unknown: "Dieser Link ist nicht gültig.",
      expired: "Dieser Link ist abgelaufen.",
      revoked: "Dieser Link wurde zurückgezogen.",
      withdrawn: "Dieses Dokument ist nicht mehr verfügbar."
    },
    ask_sender: "Bitte fragen Sie den Absender des Dokuments nach einem neuen Link.",
    pay: "Online bezahlen",
    transfer: "Per Überweisung bezahlen",
    download_xml: "XML herunterladen",
    download_receipt: "Zahlungsbeleg herunterladen",
    contact: "Fragen zu diesem Dokument?",
    others: "Ihre weiteren offenen Dokumente"
  },
  mail: {
    greeting: "Guten Tag {customer}!",
    confidential: "Der Link ist für Sie bestimmt: Wer ihn hat, kann das Dokument sehen.",
    regards: "Mit freundlichen Grüßen",
    invoice: {
      subject: "Rechnung {number} von {organization}",
      attached: "Anbei erhalten Sie unsere Rechnung {number}.",
      ready: "Unsere Rechnung {number} liegt für Sie bereit.",
      open: "Rechnung ansehen"
    },
    quote: {
      subject: "Angebot {number} von {organization}",
      attached: "Anbei erhalten Sie unser Angebot {number}.",
      ready: "Unser Angebot {number} liegt für Sie bereit.",
      open: "Angebot ansehen und beantworten"
    },
    credit_note: {
      subject: "Rechnungskorrektur {number} von {organization}",
      attached: "Anbei erhalten Sie unsere Rechnungskorrektur {number}.",
      ready: "Unsere Rechnungskorrektur {number} liegt für Sie bereit.",
      open: "Rechnungskorrektur ansehen"
    },
    corrective_invoice: {
      subject: "Rechnungskorrektur {number} von {organization}",
      attached: "Anbei erhalten Sie unsere Rechnungskorrektur {number}.",
      ready: "Unsere Rechnungskorrektur {number} liegt für Sie bereit.",
      open: "Rechnungskorrektur ansehen"
    },
    colon: ": ",
    payable_by: "Zahlbar bis"
  }
}

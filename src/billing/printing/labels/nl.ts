import type { Labels } from "./en.ts"

export const nl: Labels = {
  document: {
    invoice: "Factuur",
    draft: "Concept",
    invoice_number: "Factuurnummer",
    issue_date: "Factuurdatum",
    due_date: "Vervaldatum",
    payment_reference: "Betalingskenmerk",
    your_tax_number: "Uw btw-nummer",
    description: "Omschrijving",
    quantity: "Aantal",
    unit: "Eenheid",
    unit_price: "Prijs",
    discount: "Korting",
    tax: "Btw",
    net: "Bedrag excl.",
    before_discount: "Voor korting",
    subtotal: "Subtotaal",
    tax_on: "over",
    rounding: "Afronding",
    total: "Totaal",
    paid: "Betaald",
    due_before_credit: "Te betalen vóór creditnota",
    credited: "Gecrediteerd",
    refunded: "Terugbetaald",
    overpaid: "Te veel betaald, terug te betalen",
    amount_due: "Te betalen",
    payment: "Betaling",
    beneficiary: "Begunstigde",
    reference: "Mededeling",
    scan_to_pay: "Scan met uw bankapp om te betalen",
    notes: "Opmerkingen",
    terms: "Voorwaarden",
    cash_discount: {
      whole: "{percent} korting bij betaling binnen {days}.",
      part: "{percent} korting op {base} bij betaling binnen {days}.",
      days: "dag|dagen"
    },
    tax_notes: "Btw-vermelding",
    exemptions: {
      E: "Vrijgesteld van btw",
      AE: "Btw verlegd",
      K: "Intracommunautaire levering, vrijgesteld van btw",
      G: "Uitvoer buiten de EU, vrijgesteld van btw",
      O: "Niet aan btw onderworpen"
    },
    tax_number: "Btw-nummer",
    registration_number: "Registratienummer",
    piece: "st."
  },
  units: {
    DZN: "dozijn",
    LS: "forfait",
    PR: "paar",
    SET: "stel",
    XBX: "doos|dozen",
    XPK: "pak|pakken"
  },
  details: {
    delivery_date: "Leverdatum",
    delivery_period: "Leverperiode",
    delivery_address: "Leveradres",
    purchase_order: "Uw bestelling",
    buyer_reference: "Uw referentie",
    contract_reference: "Overeenkomst",
    project_reference: "Project",
    operation_nature: "Handeling",
    natures: {
      goods: "Levering van goederen",
      services: "Verrichting van diensten",
      mixed: "Levering van goederen en verrichting van diensten"
    },
    corrective_cause: "Reden van correctie",
    lines_total: "Totaal van de regels",
    prepaid: "Vooraf betaald",
    payment_method: "Betaalwijze",
    methods: { bank_transfer: "Overschrijving", direct_debit: "Automatische incasso", card: "Kaart", cash: "Contant" },
    mandate_reference: "Mandaatreferentie",
    creditor_identifier: "Schuldeiser-ID",
    debited_iban: "Gedebiteerde rekening",
    card_holder: "Kaarthouder"
  },
  tax: {
    untaxed: {
      Z: "Geen btw",
      E: "Vrijgesteld van btw",
      AE: "Btw verlegd",
      K: "Intracommunautaire levering",
      G: "Uitvoer",
      O: "Niet aan btw onderworpen"
    },
    article: { before: "artikel", after: "van Richtlijn 2006/112/EG" },
    margin: {
      used_goods: "Bijzondere regeling – gebruikte goederen",
      art: "Bijzondere regeling – kunstvoorwerpen",
      antiques: "Bijzondere regeling – voorwerpen voor verzamelingen of antiquiteiten"
    },
    tax_in: "Btw in",
    exchange_rate: "Wisselkoers"
  },
  seller: {
    share_capital: "Kapitaal",
    managing_directors: "Bestuur",
    national_tax_number: "Fiscaal nummer",
    your_national_tax_number: "Uw fiscaal nummer",
    late_payment: "Laattijdige betaling",
    french_penalty:
      "Boete bij laattijdige betaling: de rentevoet van de recentste herfinancieringstransactie van de Europese Centrale Bank verhoogd met 10 procentpunten, verschuldigd vanaf de dag na de vervaldatum.",
    french_recovery: "Forfaitaire vergoeding voor invorderingskosten bij laattijdige betaling: € 40.",
    french_discount: "Geen korting bij vroegtijdige betaling.",
    belgian_repayment: "Btw terug te storten aan de Staat in de mate waarin ze oorspronkelijk in aftrek werd gebracht."
  },
  sandbox: {
    notice:
      "Test: dit document ging via een gesimuleerd netwerk voor e-facturatie. Geen netwerk of belastingdienst heeft het ontvangen.",
    not_cleared: "Simulatie: de belastingdienst heeft dit document niet bekrachtigd.",
    reference: "Testreferentie"
  },
  credit_note: {
    credit_note: "Creditnota",
    corrective_invoice: "Correctiefactuur",
    credit_note_number: "Nummer creditnota",
    corrective_invoice_number: "Nummer correctiefactuur",
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
  },
  quote: {
    quote: "Offerte",
    quote_number: "Offertenummer",
    quote_date: "Offertedatum",
    valid_until: "Geldig tot en met",
    accepted: "Voor akkoord",
    place_and_date: "Plaats en datum",
    name_and_signature: "Naam en handtekening"
  },
  receipt: {
    title: "Betalingsbewijs",
    number: "Voor factuur",
    paid_on: "Betaald op",
    amount: "Bedrag",
    total: "Totaal ontvangen",
    other: "Andere"
  },
  state: {
    open: "Te betalen",
    due: "Vervalt vandaag",
    overdue: "Vervallen",
    part_paid: "Deels betaald",
    paid: "Betaald",
    void: "Geannuleerd",
    credited: "Gecrediteerd",
    awaiting: "Wacht op uw antwoord",
    paid_in_full: "Deze factuur is volledig betaald. U hoeft niets te betalen.",
    voided: "Deze factuur is geannuleerd. Gelieve ze niet te betalen.",
    credited_in_full: "Deze factuur is gecrediteerd. U hoeft niets te betalen.",
    overpaid: "Er is meer betaald dan verschuldigd is. Het verschil moet worden terugbetaald."
  },
  portal: {
    from: "Van",
    to: "Aan",
    lines: "Regels",
    download: "PDF downloaden",
    attachments: "Bijlagen",
    question: "Gaat u akkoord met deze offerte?",
    accept: "Offerte aanvaarden",
    decline: "Offerte weigeren",
    decline_question: "Liever weigeren",
    reason: "Reden (optioneel)",
    accepted: "U hebt deze offerte aanvaard. Bedankt!",
    rejected: "U hebt deze offerte geweigerd.",
    expired_quote: "Deze offerte is niet meer geldig.",
    converted: "Deze offerte is aanvaard, de factuur volgt.",
    look_again: "Uw antwoord kon niet worden verwerkt: de offerte staat niet meer open of is gewijzigd.",
    busy: "De PDF kon nu niet worden gemaakt. Probeer het over een minuut opnieuw.",
    too_complex: "Dit document is te groot voor een PDF. U ziet het volledig op deze pagina.",
    file_busy: "Het bestand kon nu niet worden opgehaald. Probeer het over een minuut opnieuw.",
    closed: {
      unknown: "Deze link is niet geldig.",
      expired: "Deze link is verlopen.",
      revoked: "Deze link is ingetrokken.",
      withdrawn: "Dit document is niet meer beschikbaar."
    },
    ask_sender: "Vraag de afzender van het document om een nieuwe link.",
    pay: "Online betalen",
    transfer: "Betalen met een overschrijving",
    download_xml: "XML downloaden",
    download_receipt: "Betalingsbewijs downloaden",
    contact: "Vragen over dit document?",
    others: "Uw andere openstaande documenten"
  },
  mail: {
    greeting: "Beste {customer},",
    confidential: "De link is voor u bedoeld: wie hem heeft, kan het document zien.",
    regards: "Met vriendelijke groeten,",
    invoice: {
      subject: "Factuur {number} van {organization}",
      attached: "In de bijlage vindt u onze factuur {number}.",
      ready: "Onze factuur {number} staat voor u klaar.",
      open: "Factuur bekijken"
    },
    quote: {
      subject: "Offerte {number} van {organization}",
      attached: "In de bijlage vindt u onze offerte {number}.",
      ready: "Onze offerte {number} staat voor u klaar.",
      open: "Offerte bekijken en beantwoorden"
    },
    credit_note: {
      subject: "Creditnota {number} van {organization}",
      attached: "In de bijlage vindt u onze creditnota {number}.",
      ready: "Onze creditnota {number} staat voor u klaar.",
      open: "Creditnota bekijken"
    },
    corrective_invoice: {
      subject: "Correctiefactuur {number} van {organization}",
      attached: "In de bijlage vindt u onze correctiefactuur {number}.",
      ready: "Onze correctiefactuur {number} staat voor u klaar.",
      open: "Correctiefactuur bekijken"
    },
    colon: ": ",
    payable_by: "Te betalen uiterlijk op"
  }
}

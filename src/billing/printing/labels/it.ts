import type { Labels } from "./en.ts"

export const it: Labels = {
  document: {
    invoice: "Fattura",
    draft: "Bozza",
    invoice_number: "Numero fattura",
    issue_date: "Data di emissione",
    due_date: "Scadenza",
    payment_reference: "Riferimento",
    your_tax_number: "Vostra partita IVA",
    description: "Descrizione",
    quantity: "Q.tà",
    unit: "Unità",
    unit_price: "Prezzo",
    discount: "Sconto",
    tax: "IVA",
    net: "Importo netto",
    before_discount: "Prima dello sconto",
    subtotal: "Imponibile",
    tax_on: "su",
    rounding: "Arrotondamento",
    total: "Totale",
    paid: "Pagato",
    due_before_credit: "Importo dovuto prima dello storno",
    credited: "Stornato",
    refunded: "Rimborsato",
    overpaid: "Pagato in eccesso, da rimborsare",
    amount_due: "Importo dovuto",
    payment: "Pagamento",
    beneficiary: "Beneficiario",
    reference: "Causale",
    scan_to_pay: "Inquadra con l’app della tua banca per pagare",
    notes: "Note",
    terms: "Condizioni",
    cash_discount: {
      whole: "Sconto del {percent} per pagamento entro {days}.",
      part: "Sconto del {percent} su {base} per pagamento entro {days}.",
      days: "giorno|giorni"
    },
    tax_notes: "Nota fiscale",
    exemptions: {
      E: "Esente da IVA",
      AE: "Inversione contabile",
      K: "Cessione intracomunitaria non imponibile IVA",
      G: "Cessione all’esportazione non imponibile IVA",
      O: "Fuori campo IVA"
    },
    tax_number: "Partita IVA",
    registration_number: "Numero di registrazione",
    piece: "pz."
  },
  units: {
    DZN: "dozzina|dozzine",
    LS: "a corpo",
    PR: "paio|paia",
    SET: "serie",
    XBX: "scatola|scatole",
    XPK: "conf."
  },
  details: {
    delivery_date: "Data dell’operazione",
    delivery_period: "Periodo dell’operazione",
    delivery_address: "Indirizzo di consegna",
    purchase_order: "Vostro ordine",
    buyer_reference: "Vostro riferimento",
    contract_reference: "Contratto",
    project_reference: "Progetto",
    operation_nature: "Operazione",
    natures: {
      goods: "Cessione di beni",
      services: "Prestazione di servizi",
      mixed: "Cessione di beni e prestazione di servizi"
    },
    corrective_cause: "Causa della rettifica",
    lines_total: "Somma delle righe",
    prepaid: "Pagato in anticipo",
    payment_method: "Modalità di pagamento",
    methods: { bank_transfer: "Bonifico", direct_debit: "Addebito diretto", card: "Carta", cash: "Contanti" },
    mandate_reference: "Riferimento del mandato",
    creditor_identifier: "Identificativo del creditore",
    debited_iban: "Conto addebitato",
    card_holder: "Titolare della carta"
  },
  tax: {
    untaxed: {
      Z: "Senza IVA",
      E: "Esente da IVA",
      AE: "Inversione contabile",
      K: "Cessione intracomunitaria",
      G: "Cessione all’esportazione",
      O: "Fuori campo IVA"
    },
    article: { before: "articolo", after: "della direttiva 2006/112/CE" },
    margin: {
      used_goods: "Regime del margine – beni usati",
      art: "Regime del margine – oggetti d’arte",
      antiques: "Regime del margine – oggetti di antiquariato o da collezione"
    },
    tax_in: "IVA in",
    exchange_rate: "Cambio"
  },
  seller: {
    share_capital: "Capitale sociale",
    managing_directors: "Amministrazione",
    national_tax_number: "Codice fiscale",
    your_national_tax_number: "Vostro codice fiscale",
    late_payment: "Ritardo di pagamento",
    french_penalty:
      "Interessi di mora: tasso applicato dalla Banca centrale europea alla sua più recente operazione di rifinanziamento maggiorato di 10 punti percentuali, esigibili dal giorno successivo alla scadenza.",
    french_recovery: "Indennizzo forfettario per spese di recupero in caso di ritardo: 40 €.",
    french_discount: "Nessuno sconto per pagamento anticipato.",
    belgian_repayment: "L’IVA va riversata allo Stato nella misura in cui è stata inizialmente detratta."
  },
  sandbox: {
    notice:
      "Prova: questo documento è passato per una rete simulata di fatturazione elettronica. Nessuna rete né amministrazione finanziaria lo ha ricevuto.",
    not_cleared: "Simulazione: l’amministrazione finanziaria non ha convalidato questo documento.",
    reference: "Riferimento di prova"
  },
  credit_note: {
    credit_note: "Nota di credito",
    corrective_invoice: "Fattura rettificativa",
    credit_note_number: "Numero nota",
    corrective_invoice_number: "Numero fattura rettificativa",
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
  },
  quote: {
    quote: "Preventivo",
    quote_number: "Numero preventivo",
    quote_date: "Data di emissione",
    valid_until: "Valido fino al",
    accepted: "Per accettazione",
    place_and_date: "Luogo e data",
    name_and_signature: "Nome e firma"
  },
  receipt: {
    title: "Ricevuta",
    number: "Per la fattura",
    paid_on: "Pagato il",
    amount: "Importo",
    total: "Totale ricevuto",
    other: "Altro"
  },
  state: {
    open: "Da pagare",
    due: "Scade oggi",
    overdue: "Scaduta",
    part_paid: "Pagata in parte",
    paid: "Pagata",
    void: "Annullata",
    credited: "Stornata",
    awaiting: "In attesa della Sua risposta",
    paid_in_full: "Questa fattura è interamente pagata. Non c’è nulla da pagare.",
    voided: "Questa fattura è annullata. La preghiamo di non pagarla.",
    credited_in_full: "Questa fattura è stata stornata. Non c’è nulla da pagare.",
    overpaid: "È stato pagato più del dovuto. La differenza è da rimborsare."
  },
  portal: {
    from: "Da",
    to: "A",
    lines: "Righe",
    download: "Scarica il PDF",
    attachments: "Allegati",
    question: "Accetta questo preventivo?",
    accept: "Accetta il preventivo",
    decline: "Rifiuta il preventivo",
    decline_question: "Preferisco rifiutare",
    reason: "Motivo (facoltativo)",
    accepted: "Ha accettato questo preventivo. Grazie!",
    rejected: "Ha rifiutato questo preventivo.",
    expired_quote: "Questo preventivo non è più valido.",
    converted: "Questo preventivo è stato accettato e la fattura è in arrivo.",
    look_again: "Non è stato possibile registrare la risposta: il preventivo non è più aperto o è cambiato.",
    busy: "Non è stato possibile creare il PDF in questo momento. Riprovi tra un minuto.",
    too_complex: "Questo documento è troppo lungo per un PDF. Lo vede per intero in questa pagina.",
    file_busy: "Non è stato possibile recuperare il file in questo momento. Riprovi tra un minuto.",
    closed: {
      unknown: "Questo link non è valido.",
      expired: "Questo link è scaduto.",
      revoked: "Questo link è stato ritirato.",
      withdrawn: "Questo documento non è più disponibile."
    },
    ask_sender: "Chieda un nuovo link al mittente del documento.",
    pay: "Paga online",
    transfer: "Paga con bonifico",
    download_xml: "Scarica l’XML",
    download_receipt: "Scarica la ricevuta",
    contact: "Domande su questo documento?",
    others: "I Suoi altri documenti aperti"
  },
  mail: {
    greeting: "Gentile {customer},",
    confidential: "Il link è destinato a Lei: chi lo possiede può vedere il documento.",
    regards: "Cordiali saluti,",
    invoice: {
      subject: "Fattura {number} di {organization}",
      attached: "In allegato trova la nostra fattura {number}.",
      ready: "La nostra fattura {number} è a Sua disposizione.",
      open: "Visualizza la fattura"
    },
    quote: {
      subject: "Preventivo {number} di {organization}",
      attached: "In allegato trova il nostro preventivo {number}.",
      ready: "Il nostro preventivo {number} è a Sua disposizione.",
      open: "Visualizza il preventivo e rispondi"
    },
    credit_note: {
      subject: "Nota di credito {number} di {organization}",
      attached: "In allegato trova la nostra nota di credito {number}.",
      ready: "La nostra nota di credito {number} è a Sua disposizione.",
      open: "Visualizza la nota di credito"
    },
    corrective_invoice: {
      subject: "Fattura rettificativa {number} di {organization}",
      attached: "In allegato trova la nostra fattura rettificativa {number}.",
      ready: "La nostra fattura rettificativa {number} è a Sua disposizione.",
      open: "Visualizza la fattura rettificativa"
    },
    colon: ": ",
    payable_by: "Da pagare entro il"
  }
}

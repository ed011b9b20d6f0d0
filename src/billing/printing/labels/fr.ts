import type { Labels } from "./en.ts"

export const fr: Labels = {
  document: {
    invoice: "Facture",
    draft: "Brouillon",
    invoice_number: "Numéro de facture",
    issue_date: "Date d’émission",
    due_date: "Échéance",
    payment_reference: "Communication",
    your_tax_number: "Votre n° de TVA",
    description: "Description",
    quantity: "Qté",
    unit: "Unité",
    unit_price: "Prix unitaire",
    discount: "Remise",
    tax: "TVA",
    net: "Montant HT",
    before_discount: "Avant remise",
    subtotal: "Total HT",
    tax_on: "sur",
    rounding: "Arrondi",
    total: "Total TTC",
    paid: "Déjà payé",
    due_before_credit: "Montant à payer avant avoir",
    credited: "Crédité",
    refunded: "Remboursé",
    overpaid: "Trop-perçu, à rembourser",
    amount_due: "Montant à payer",
    payment: "Paiement",
    beneficiary: "Bénéficiaire",
    reference: "Communication",
    scan_to_pay: "Scannez avec votre application bancaire pour payer",
    notes: "Remarques",
    terms: "Conditions",
    cash_discount: {
      whole: "Escompte de {percent} pour un paiement sous {days}.",
      part: "Escompte de {percent} sur {base} pour un paiement sous {days}.",
      days: "jour|jours"
    },
    tax_notes: "Mentions fiscales",
    exemptions: {
      E: "Exonéré de TVA",
      AE: "Autoliquidation",
      K: "Livraison intracommunautaire exonérée de TVA",
      G: "Exportation hors UE, exonérée de TVA",
      O: "Non soumis à la TVA"
    },
    tax_number: "N° de TVA",
    registration_number: "N° d’immatriculation",
    piece: "pce"
  },
  units: {
    DZN: "dz.",
    LS: "forfait",
    PR: "paire|paires",
    SET: "jeu|jeux",
    XBX: "boîte|boîtes",
    XPK: "paquet|paquets"
  },
  details: {
    delivery_date: "Livraison ou prestation",
    delivery_period: "Période de livraison ou de prestation",
    delivery_address: "Adresse de livraison",
    purchase_order: "Votre commande",
    buyer_reference: "Votre référence",
    contract_reference: "Contrat",
    project_reference: "Projet",
    operation_nature: "Nature de l’opération",
    natures: {
      goods: "Livraison de biens",
      services: "Prestation de services",
      mixed: "Livraison de biens et prestation de services"
    },
    corrective_cause: "Motif de rectification",
    lines_total: "Total des lignes",
    prepaid: "Payé d’avance",
    payment_method: "Moyen de paiement",
    methods: { bank_transfer: "Virement", direct_debit: "Prélèvement", card: "Carte", cash: "Espèces" },
    mandate_reference: "Référence du mandat",
    creditor_identifier: "Identifiant créancier",
    debited_iban: "Compte débité",
    card_holder: "Titulaire de la carte"
  },
  tax: {
    untaxed: {
      Z: "Sans TVA",
      E: "Exonéré de TVA",
      AE: "Autoliquidation",
      K: "Livraison intracommunautaire",
      G: "Exportation",
      O: "Non soumis à la TVA"
    },
    article: { before: "article", after: "de la directive 2006/112/CE" },
    margin: {
      used_goods: "Régime particulier – Biens d’occasion",
      art: "Régime particulier – Objets d’art",
      antiques: "Régime particulier – Objets de collection et d’antiquité"
    },
    tax_in: "TVA en",
    exchange_rate: "Taux de change"
  },
  seller: {
    share_capital: "Capital social",
    managing_directors: "Direction",
    national_tax_number: "N° fiscal",
    your_national_tax_number: "Votre n° fiscal",
    late_payment: "Conditions de règlement",
    french_penalty:
      "Pénalités de retard : taux d’intérêt appliqué par la Banque centrale européenne à son opération de refinancement la plus récente majoré de 10 points de pourcentage, exigibles dès le lendemain de l’échéance.",
    french_recovery: "Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 €.",
    french_discount: "Pas d’escompte pour paiement anticipé.",
    belgian_repayment: "TVA à reverser à l’État dans la mesure où elle a été initialement déduite."
  },
  sandbox: {
    notice:
      "Test : ce document est passé par un réseau de facturation électronique simulé. Aucun réseau ni aucune administration fiscale ne l’a reçu.",
    not_cleared: "Simulation : l’administration fiscale n’a pas visé ce document.",
    reference: "Référence de test"
  },
  credit_note: {
    credit_note: "Avoir",
    corrective_invoice: "Facture rectificative",
    credit_note_number: "Numéro d’avoir",
    corrective_invoice_number: "Numéro de facture rectificative",
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
  },
  quote: {
    quote: "Devis",
    quote_number: "Numéro de devis",
    quote_date: "Date du devis",
    valid_until: "Valable jusqu’au",
    accepted: "Bon pour accord",
    place_and_date: "Lieu et date",
    name_and_signature: "Nom et signature"
  },
  receipt: {
    title: "Reçu",
    number: "Pour la facture",
    paid_on: "Payé le",
    amount: "Montant",
    total: "Total reçu",
    other: "Autre"
  },
  state: {
    open: "À payer",
    due: "Échéance aujourd’hui",
    overdue: "En retard",
    part_paid: "Payée en partie",
    paid: "Payée",
    void: "Annulée",
    credited: "Créditée",
    awaiting: "En attente de votre réponse",
    paid_in_full: "Cette facture est entièrement payée. Il n’y a rien à régler.",
    voided: "Cette facture est annulée. Merci de ne pas la payer.",
    credited_in_full: "Cette facture a fait l’objet d’un avoir. Il n’y a rien à régler.",
    overpaid: "Le montant payé dépasse le montant dû. La différence est à rembourser."
  },
  portal: {
    from: "De",
    to: "À",
    lines: "Lignes",
    download: "Télécharger le PDF",
    attachments: "Pièces jointes",
    question: "Acceptez-vous ce devis ?",
    accept: "Accepter le devis",
    decline: "Refuser le devis",
    decline_question: "Plutôt refuser",
    reason: "Motif (facultatif)",
    accepted: "Vous avez accepté ce devis. Merci !",
    rejected: "Vous avez refusé ce devis.",
    expired_quote: "Ce devis n’est plus valable.",
    converted: "Ce devis a été accepté, la facture suit.",
    look_again: "Votre réponse n’a pas pu être enregistrée : le devis n’est plus ouvert ou a changé.",
    busy: "Le PDF n’a pas pu être créé pour l’instant. Réessayez dans une minute.",
    too_complex: "Ce document est trop volumineux pour un PDF. Il figure en entier sur cette page.",
    file_busy: "Le fichier n’est pas disponible pour l’instant. Réessayez dans une minute.",
    closed: {
      unknown: "Ce lien n’est pas valable.",
      expired: "Ce lien a expiré.",
      revoked: "Ce lien a été retiré.",
      withdrawn: "Ce document n’est plus disponible."
    },
    ask_sender: "Demandez un nouveau lien à l’expéditeur du document.",
    pay: "Payer en ligne",
    transfer: "Payer par virement",
    download_xml: "Télécharger le XML",
    download_receipt: "Télécharger le reçu",
    contact: "Une question sur ce document ?",
    others: "Vos autres documents en cours"
  },
  mail: {
    greeting: "Bonjour {customer},",
    confidential: "Ce lien vous est destiné : quiconque le possède peut voir le document.",
    regards: "Cordialement,",
    invoice: {
      subject: "Facture {number} de {organization}",
      attached: "Veuillez trouver ci-joint notre facture {number}.",
      ready: "Notre facture {number} est à votre disposition.",
      open: "Voir la facture"
    },
    quote: {
      subject: "Devis {number} de {organization}",
      attached: "Veuillez trouver ci-joint notre devis {number}.",
      ready: "Notre devis {number} est à votre disposition.",
      open: "Voir le devis et y répondre"
    },
    credit_note: {
      subject: "Avoir {number} de {organization}",
      attached: "Veuillez trouver ci-joint notre avoir {number}.",
      ready: "Notre avoir {number} est à votre disposition.",
      open: "Voir l’avoir"
    },
    corrective_invoice: {
      subject: "Facture rectificative {number} de {organization}",
      attached: "Veuillez trouver ci-joint notre facture rectificative {number}.",
      ready: "Notre facture rectificative {number} est à votre disposition.",
      open: "Voir la facture rectificative"
    },
    colon: " : ",
    payable_by: "À payer au plus tard le"
  }
}

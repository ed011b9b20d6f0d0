/** English labels and texts of documents, their messages and their pages; the other languages have the same keys. */
export const en = {
  document: {
    invoice: "Invoice",
    draft: "Draft",
    invoice_number: "Invoice number",
    issue_date: "Issue date",
    due_date: "Due date",
    payment_reference: "Payment reference",
    your_tax_number: "Your tax number",
    description: "Description",
    quantity: "Qty",
    unit: "Unit",
    unit_price: "Unit price",
    discount: "Discount",
    tax: "Tax",
    net: "Net amount",
    before_discount: "Before discount",
    subtotal: "Subtotal",
    /** Printed before the amount on which a tax was computed: "VAT 21% on 54.02". */
    tax_on: "on",
    rounding: "Rounding",
    total: "Total",
    paid: "Paid",
    /** The amount payable that the embedded e-invoice states, which does not subtract credit notes. */
    due_before_credit: "Due before credit notes",
    credited: "Credited",
    refunded: "Refunded",
    overpaid: "Overpaid, to be refunded",
    amount_due: "Amount due",
    payment: "Payment",
    beneficiary: "Beneficiary",
    reference: "Reference",
    scan_to_pay: "Scan with your banking app to pay",
    notes: "Notes",
    terms: "Terms",
    /** A discount for early payment, on the total (`whole`) or on an amount (`part`). `|` as in `units`. */
    cash_discount: {
      whole: "{percent} discount if paid within {days}.",
      part: "{percent} discount on {base} if paid within {days}.",
      days: "day|days"
    },
    tax_notes: "Tax",
    /** Reasons why a line is not taxed, by UNCL 5305 category. */
    exemptions: {
      E: "Exempt from tax",
      AE: "Reverse charge",
      K: "Intra-Community supply, exempt from VAT",
      G: "Export outside the EU, exempt from VAT",
      O: "Not subject to VAT"
    },
    tax_number: "Tax number",
    registration_number: "Registration number",
    piece: "pcs"
  },
  /**
   * Names of units that Intl does not know, by UN/ECE Recommendation 20 code, short for a narrow column. `|` separates
   * the singular, the plural, and in Polish the form for many.
   */
  units: {
    DZN: "dozen",
    LS: "lump sum",
    PR: "pair|pairs",
    SET: "set|sets",
    XBX: "box|boxes",
    XPK: "pack|packs"
  },
  details: {
    delivery_date: "Delivery date",
    delivery_period: "Delivery period",
    delivery_address: "Delivery address",
    purchase_order: "Your order",
    buyer_reference: "Your reference",
    contract_reference: "Contract",
    project_reference: "Project",
    operation_nature: "Transaction",
    natures: { goods: "Supply of goods", services: "Supply of services", mixed: "Supply of goods and services" },
    corrective_cause: "Cause of correction",
    /** The sum of the lines, before discounts and charges on the whole document. */
    lines_total: "Sum of the lines",
    prepaid: "Paid in advance",
    payment_method: "Means of payment",
    methods: { bank_transfer: "Bank transfer", direct_debit: "Direct debit", card: "Card", cash: "Cash" },
    mandate_reference: "Mandate reference",
    creditor_identifier: "Creditor identifier",
    debited_iban: "Debited account",
    card_holder: "Card holder"
  },
  tax: {
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
    article: { before: "Article", after: "of Directive 2006/112/EC" },
    /** The wording that Article 226(14) of the Directive prescribes. */
    margin: {
      used_goods: "Margin scheme – Second-hand goods",
      art: "Margin scheme – Works of art",
      antiques: "Margin scheme – Collector’s items and antiques"
    },
    /** Printed before the code of the organization's currency: "Tax in EUR". */
    tax_in: "Tax in",
    exchange_rate: "Exchange rate"
  },
  seller: {
    share_capital: "Share capital",
    managing_directors: "Management",
    national_tax_number: "Tax office number",
    your_national_tax_number: "Your tax office number",
    late_payment: "Late payment",
    /** Wording that the French Commercial Code requires (articles L441-9, L441-10 and D441-5). */
    french_penalty:
      "Penalties for late payment: the rate that the European Central Bank applied to its most recent refinancing operation plus 10 percentage points, due from the day after the due date.",
    french_recovery: "Fixed compensation for recovery costs in case of late payment: €40.",
    french_discount: "No discount for early payment.",
    belgian_repayment: "VAT to be repaid to the State to the extent that it was originally deducted."
  },
  sandbox: {
    /** Printed on every page of a document that went through a simulated e-invoicing network. */
    notice:
      "Test: this document went through a simulated e-invoicing network. No network or tax authority received it.",
    /** Printed in place of the authority's stamp. */
    not_cleared: "Simulated: the tax authority has not cleared this document.",
    reference: "Test reference"
  },
  credit_note: {
    credit_note: "Credit note",
    /** Spanish law requires this title (Real Decreto 1619/2012, art. 15). */
    corrective_invoice: "Corrective invoice",
    credit_note_number: "Credit note number",
    corrective_invoice_number: "Corrective invoice number",
    issue_date: "Issue date",
    original_invoice: "For invoice",
    invoice_date: "Invoice date",
    reason: "Reason",
    amount_credited: "Amount credited",
    not_stamped: "Not yet stamped by the tax authority.",
    stamped_at: "Stamped",
    scan_to_verify: "Scan to verify with the tax authority",
    type: "Type",
    /** Names of the type codes of credit notes (UNTDID 1001), which `CreditNote.ts` lists. */
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
  },
  quote: {
    quote: "Quote",
    quote_number: "Quote number",
    quote_date: "Quote date",
    valid_until: "Valid until",
    /** The title above the signature fields of a quote. */
    accepted: "Accepted",
    place_and_date: "Place and date",
    name_and_signature: "Name and signature"
  },
  receipt: {
    title: "Receipt",
    number: "For invoice",
    paid_on: "Paid on",
    amount: "Amount",
    total: "Total received",
    other: "Other"
  },
  state: {
    open: "Open",
    due: "Due today",
    overdue: "Overdue",
    part_paid: "Partly paid",
    paid: "Paid",
    void: "Void",
    credited: "Credited",
    awaiting: "Awaiting your answer",
    paid_in_full: "This invoice is paid in full. Nothing is due.",
    voided: "This invoice is void. Please do not pay it.",
    credited_in_full: "This invoice was credited. Nothing is due.",
    overpaid: "More was paid than is due. The difference is to be refunded."
  },
  portal: {
    from: "From",
    to: "To",
    lines: "Items",
    download: "Download the PDF",
    attachments: "Attachments",
    question: "Do you accept this quote?",
    accept: "Accept the quote",
    decline: "Decline the quote",
    decline_question: "Decline instead",
    reason: "Reason (optional)",
    accepted: "You have accepted this quote. Thank you!",
    rejected: "You have declined this quote.",
    expired_quote: "This quote is no longer valid.",
    converted: "This quote was accepted, and its invoice is on the way.",
    look_again: "Your answer could not be recorded, because the quote is no longer open or has changed.",
    busy: "The PDF could not be made right now. Please try again in a minute.",
    too_complex: "This document is too large for a PDF. This page shows all of it.",
    file_busy: "The file cannot be fetched right now. Please try again in a minute.",
    closed: {
      unknown: "This link is not valid.",
      expired: "This link has expired.",
      revoked: "This link has been withdrawn.",
      withdrawn: "This document is no longer available."
    },
    ask_sender: "Please ask the sender of the document for a new link.",
    pay: "Pay online",
    transfer: "Pay by bank transfer",
    download_xml: "Download the XML",
    download_receipt: "Download the receipt",
    contact: "Questions about this document?",
    others: "Your other open documents"
  },
  mail: {
    greeting: "Dear {customer},",
    confidential: "The link is meant for you: whoever has it can see the document.",
    regards: "Kind regards,",
    invoice: {
      subject: "Invoice {number} from {organization}",
      /** Opening sentence of a message with the PDF; `ready` opens a message without the PDF. */
      attached: "Please find attached our invoice {number}.",
      ready: "Our invoice {number} is ready for you.",
      open: "View the invoice"
    },
    quote: {
      subject: "Quote {number} from {organization}",
      attached: "Please find attached our quote {number}.",
      ready: "Our quote {number} is ready for you.",
      open: "View the quote and answer it"
    },
    credit_note: {
      subject: "Credit note {number} from {organization}",
      attached: "Please find attached our credit note {number}.",
      ready: "Our credit note {number} is ready for you.",
      open: "View the credit note"
    },
    /** Texts for a credit note from Spain, where the law calls it a corrective invoice. */
    corrective_invoice: {
      subject: "Corrective invoice {number} from {organization}",
      attached: "Please find attached our corrective invoice {number}.",
      ready: "Our corrective invoice {number} is ready for you.",
      open: "View the corrective invoice"
    },
    /** Written between a label and its value in the text part of a message. */
    colon: ": ",
    payable_by: "Payable by"
  }
}

export type Labels = typeof en

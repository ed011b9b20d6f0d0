import * as fc from "fast-check"

/** The optional fields of a document, each of which may be unset. */
export const AnyDetails = fc.record(
  {
    delivery_date: fc.constantFrom(null, "2026-02-27"),
    delivery_address: fc.constantFrom(null, { country: "BE" }, { country: "NL", city: "Breda", name: null }),
    purchase_order: fc.constantFrom(null, "PO-1", "ünï "),
    buyer_reference: fc.constantFrom(null, "0204:991"),
    contract_reference: fc.constant("C"),
    project_reference: fc.constant("P"),
    operation_nature: fc.constantFrom(null, "goods", "services", "mixed"),
    payee: fc.constantFrom(null, { name: "Factor" }, { name: "Factor", identifier: "1", identifier_scheme: "0208" }),
    payment_means: fc.constantFrom(
      null,
      { method: "bank_transfer" },
      { method: "bank_transfer", iban: "BE68 5390 0754 7034", bic: "KREDBEBB" },
      { method: "card", card_last_digits: "1234" },
      { method: "direct_debit", mandate_reference: "M", debited_iban: "BE68 5390 0754 7034" }
    ),
    prepaid_amount: fc.constantFrom(null, 0, 0.01)
  },
  { requiredKeys: [] }
)

/** Discounts or charges without taxes, which a test must add. */
export const AnyAdjustments = fc.array(
  fc.record({
    of: fc.constantFrom({ amount: 0.01 }, { percentage: 7.5 }),
    description: fc.constantFrom("Loyalty", "Transport")
  }),
  { maxLength: 2 }
)

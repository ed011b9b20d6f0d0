import { BigDecimal } from "effect"
import { describe, expect, it } from "vitest"
import type { EInvoice } from "../../../src/einvoicing/invoice/EInvoice.ts"
import { en16931, peppolBilling } from "../../../src/einvoicing/invoice/Profiles.ts"
import { findingsIn } from "../../../src/einvoicing/rules/Rules.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import {
  credit,
  customer_id,
  day,
  decimal,
  document,
  einvoice,
  exchange,
  exempt,
  item,
  parties,
  rate
} from "./Documents.ts"

const broken = (invoice: EInvoice) => findingsIn(invoice, customer_id).map(({ pointer, rule }) => [rule, pointer])

const delivered = { delivery: { date: day("2026-02-27") } }
const plain = document([item()])
const between = (seller: object, buyer: object = {}) =>
  einvoice(plain, parties({ organization: seller, customer: buyer }))
const to = (scheme: string, value: string) =>
  einvoice(plain, parties(), exchange({ recipient: { scheme, value, country_code: "DE" } }))
const nowhere = { city: null, postal_code: null, address_line1: null }
const german = { country: "DE", tax_number: "DE136695976", registration_number: null, iban: null, contact_phone: null }
const dutch = { country: "NL", tax_number: "NL004495445B01", registration_number: "17001910", iban: null }
const swedish = { country: "SE", tax_number: "SE556036079301", registration_number: "556036-0793" }

/** Replaces the amounts of the only tax group of `plain`. */
const taxed = (tax_amount: string, taxable_amount: string) =>
  plain.tax_breakdown.map((tax) => ({
    ...tax,
    tax_amount: decimal(tax_amount),
    taxable_amount: decimal(taxable_amount)
  }))

const wrong = (tax: string, taxable: string) =>
  broken(
    einvoice({
      ...plain,
      tax_breakdown: taxed(tax, taxable),
      tax_total: decimal(tax),
      total: BigDecimal.sum(plain.subtotal, decimal(tax))
    })
  )

describe("a document that breaks no rule", () => {
  it.each([
    ["of one rate", document([item()])],
    [
      "of several rates and exemptions",
      document([item(), item({ tax_rates: [rate("6")] }), exempt("E"), exempt("K")], delivered)
    ],
    ["with discounts and rebates", document([item({ discount: decimal("10") }), item({ unit_price: decimal("-5") })])],
    ["not subject to VAT", document([exempt("O")])],
    ["that credits another", credit([item()])],
    ["in Caribbean guilders", document([item()], { currency: CurrencyCode.make("XCG") })],
    ["paid in part", document([item()], { paid: decimal("60") })],
    [
      "delivered over a month",
      document([exempt("K")], { delivery: { start: day("2026-02-01"), end: day("2026-02-28") } })
    ]
  ])("is one %s", (_, source) => {
    expect(broken(einvoice(source))).toEqual([])
  })
})

describe("a document", () => {
  it("outside of VAT asks a seller with a VAT number only for its registration number", () => {
    const seller = parties({ organization: { registration_number: null } })
    expect(findingsIn(einvoice(document([exempt("O")]), seller), customer_id)).toEqual([
      expect.objectContaining({ rule: "BR-CO-26", fix: "Set registration_number on the organization." })
    ])
  })

  it.each([
    ["0216", "003720774740"],
    ["0242", "000123"],
    ["0244", "2522412345671"],
    ["0245", "2022749619"],
    ["0246", "DE136695976-00001.A1"],
    ["0248", "OM1100003554"]
  ])("may be addressed by scheme %s", (scheme, value) => {
    expect(broken(to(scheme, value))).toEqual([])
  })

  it.each(["0037", "0193", "0203", "0212", "0213", "0215"])("is not sent to scheme %s, which was removed", (scheme) => {
    const document = to(scheme, "003720774740")
    expect(broken(document)).toEqual([["PEPPOL-EN16931-CL008", "/recipient_identifier_scheme"]])
    expect(findingsIn(document, customer_id)).toMatchObject([
      {
        message: `Buyer electronic address has scheme ${scheme}, which is not on Peppol's code list.`,
        fix:
          "Correct the identifier on customer 9. " +
          "Use an identifier of a scheme on Peppol's current code list, such as 0216 for Finland."
      }
    ])
  })

  it("without addresses follows EN 16931, and Peppol only with them", () => {
    const how = { profile: en16931, sender: null, recipient: null }
    expect(broken(einvoice(plain, parties(), how))).toEqual([])
    expect(broken(einvoice(plain, parties(), { ...how, profile: peppolBilling }))).toEqual([
      ["PEPPOL-EN16931-R020", "/organization_id"],
      ["PEPPOL-EN16931-R010", "/recipient_identifier_value"]
    ])
  })

  it.each([
    ["without a number", einvoice({ ...plain, number: " " }), [["BR-02", "/invoice/number"]]],
    [
      "without a sender",
      einvoice(plain, parties(), exchange({ sender: null })),
      [["PEPPOL-EN16931-R020", "/organization_id"]]
    ],
    ["to nobody", to("0088", ""), [["PEPPOL-EN16931-R010", "/recipient_identifier_value"]]],
    ["to an address without a scheme", to("", "1"), [["BR-63", "/recipient_identifier_scheme"]]],
    ["to a scheme of no network", to("9999", "1"), [["PEPPOL-EN16931-CL008", "/recipient_identifier_scheme"]]],
    ["to a wrong number", to("0208", "0202239952"), [["PEPPOL-COMMON-R043", "/recipient_identifier_value"]]],
    ["without the buyer's country", between({}, { country: "" }), [["BR-11", "/customer/country"]]],
    [
      "of a seller without a number",
      between({ tax_number: null, registration_number: null }),
      [
        ["BR-CO-26", "/organization/registration_number"],
        ["BR-S-02", "/organization/tax_number"]
      ]
    ],
    [
      "to a buyer whose tax number is no VAT identifier",
      between({}, { tax_number: "RSSMRA85T10A562S" }),
      [["BR-CO-09", "/customer/tax_number"]]
    ],
    ["in a unit of no list", einvoice(document([item({ unit: "ZZ9" })])), [["BR-CL-23", "/invoice/items/0/unit"]]],
    [
      "with two taxes on a line",
      einvoice(document([item({ tax_rates: [rate("21"), rate("6", "S", 2)] })])),
      [["UBL-SR-48", "/invoice/items/0/tax_rate_ids"]]
    ],
    [
      "of reverse charge to a buyer without a number",
      einvoice(document([exempt("AE")]), parties({ customer: { tax_number: null } })),
      [["BR-AE-02", "/customer/tax_number"]]
    ],
    [
      "of intra-community supply to a buyer without a number",
      einvoice(document([exempt("K")], delivered), parties({ customer: { tax_number: null } })),
      [["BR-IC-02", "/customer/tax_number"]]
    ],
    [
      "of intra-community supply that does not say when",
      einvoice(document([exempt("K")])),
      [["BR-IC-11", "/invoice/delivery_date"]]
    ],
    [
      "of export by a seller without a VAT identifier",
      einvoice(document([exempt("G")]), parties({ organization: { tax_number: "123" } })),
      [["BR-G-02", "/organization/tax_number"]]
    ],
    [
      "that mixes what is not subject to VAT with what is",
      einvoice(document([item(), exempt("O")])),
      [["BR-O-11", "/invoice/items"]]
    ],
    [
      "with a standard rate of zero",
      einvoice(document([item({ tax_rates: [rate("0")] })])),
      [["BR-S-05", "/invoice/items"]]
    ],
    [
      "with an exemption that bears tax",
      einvoice(document([item({ tax_rates: [rate("5", "E")] })])),
      [["BR-E-05", "/invoice/items"]]
    ],
    [
      "in dinars, to the thousandth",
      einvoice(document([item({ unit_price: decimal("1.235") })], { currency: CurrencyCode.make("BHD") })),
      [["UBL-DT-01", "/invoice/items"]]
    ],
    [
      "in a currency that the lists do not have",
      einvoice(document([item()], { currency: CurrencyCode.make("ANG") })),
      [["PEPPOL-EN16931-CL007", "/invoice/currency"]]
    ],
    [
      "of credit, with a code of France",
      einvoice(credit([item()], { type_code: "261" })),
      [["PEPPOL-EN16931-P0101", "/credit_note/credit_note_type_code"]]
    ]
  ])("%s is told so, and where", (_, invoice, findings) => {
    expect(broken(invoice)).toEqual(findings)
  })

  it.each([
    ["BR-CO-13", { subtotal: decimal("99.99") }],
    ["BR-CO-14", { tax_total: decimal("20.99") }],
    ["BR-CO-16", { total: decimal("120.99") }]
  ])("whose totals do not add up breaks %s", (rule, changes) => {
    expect(broken(einvoice({ ...plain, ...changes })).map(([found]) => found)).toContain(rule)
  })

  it("whose tax is not what the rate gives, or is of other lines, breaks BR-CO-17 and BR-S-08", () => {
    expect(wrong("22.5", "100")).toEqual([["BR-CO-17", "/invoice/items"]])
    expect(wrong("21.00", "99.5")).toEqual([["BR-S-08", "/invoice/items"]])
  })

  it.each([
    [
      "Germany",
      einvoice(
        { ...plain, payment_reference: null },
        parties({ organization: { ...german, ...nowhere }, customer: nowhere })
      ),
      ["DE-R-001", "DE-R-006", "DE-R-003", "DE-R-004", "DE-R-008", "DE-R-009"]
    ],
    [
      "the Netherlands",
      between({ country: "NL", registration_number: "1", iban: null, ...nowhere }, { country: "NL", ...nowhere }),
      ["NL-R-003", "NL-R-008", "BR-NL-10", "NL-R-002", "NL-R-002", "NL-R-002", "NL-R-004", "NL-R-004", "NL-R-004"]
    ],
    [
      "the Netherlands, when nothing is owed",
      einvoice(document([item({ discount: decimal("100") })]), parties({ organization: dutch, customer: dutch })),
      ["NL-R-008", "BR-NL-10"]
    ],
    [
      "the Netherlands, without instructions",
      einvoice({ ...plain, payment_reference: null }, parties({ organization: dutch })),
      ["NL-R-007"]
    ],
    ["Denmark", between({ country: "DK", registration_number: "1" }), ["DK-R-002"]],
    [
      "Italy",
      between({ country: "IT", tax_number: "123", ...nowhere }),
      ["IT-R-001", "IT-R-002", "IT-R-003", "IT-R-004"]
    ],
    ["Iceland", between({ country: "IS", registration_number: "1", ...nowhere }), ["IS-R-002", "IS-R-003", "IS-R-003"]],
    ["Norway", between({ country: "NO", tax_number: "NO923609016" }), ["NO-R-001", "NO-R-002"]],
    ["Norway, by its check digit", between({ country: "NO", tax_number: "NO923609017MVA" }), ["NO-R-001", "NO-R-002"]],
    ["Italy, by its VAT number", between({ tax_number: "IT00743110157", city: null }), ["IT-R-003"]],
    ["Norway, by its VAT number", between({ tax_number: "NO923609016MVA" }), ["NO-R-002"]],
    ["Greece, by its VAT number", between({ tax_number: "GR094259216" }), ["GR-R-001-1"]],
    ["Norway, taxed abroad", between({ country: "NO", tax_number: "BE0202239951" }), []],
    [
      "Sweden",
      between({ ...swedish, tax_number: "SE12", registration_number: "1" }),
      ["SE-R-001", "SE-R-013", "SE-R-006"]
    ],
    ["Greece", between({ country: "GR", tax_number: "EL094259216" }), ["GR-R-001-1"]]
  ])("of a seller in %s follows the rules there", (_, invoice, rules) => {
    expect(broken(invoice).map(([rule]) => rule)).toEqual(rules)
  })

  it("of a German seller to one abroad, or a Swedish one at a Swedish rate, breaks none", () => {
    expect(broken(between({ ...german, registration_number: "1" }, { country: "BE" }))).toEqual([])
    const source = document([item({ tax_rates: [rate("25")] })])
    expect(broken(einvoice(source, parties({ organization: swedish })))).toEqual([])
  })

  it("asks a Danish seller for the debited account only between Danish parties", () => {
    const debit = {
      method: "direct_debit",
      mandate_reference: "M1",
      creditor_identifier: null,
      debited_iban: null,
      card_last_digits: null,
      card_holder: null
    } as const
    const danish = { country: "DK", tax_number: "DK12345674", registration_number: "12345674" }
    const debited = (country: string) => {
      return broken(
        einvoice(
          { ...plain, currency: CurrencyCode.make("DKK"), payment_means: debit },
          parties({ organization: danish, customer: { country } })
        )
      ).map(([rule]) => rule)
    }
    expect([debited("DK"), debited("BE")].map((rules) => rules.includes("DK-R-007"))).toEqual([true, false])
  })

  it.each([
    ["#SKONTO#TAGE=14#PROZENT=2.25#", true],
    ["Thank you\n#SKONTO#TAGE=14#PROZENT=2.00#\r\n#SKONTO#TAGE=30#PROZENT=1.00#BASISBETRAG=357.93#\nBye", true],
    [" #SKONTO#TAGE=0#PROZENT=2.00#  ", true],
    ["Order #17 of lot #3", true],
    ["Thank you\n #SKONTO", false],
    ["#SKONTO#TAGE=14#PROZENT=2#", false],
    ["#SKONTO#TAGE=14#PROZENT=2.25# net", false],
    ["#SKONTO#TAGE=14#PROZENT=2.25#\nlot #3 # 4", false]
  ])("with the German cash discount %j is taken there: %s", (terms, isValid) => {
    const at_home = parties({ organization: { ...german, iban: "BE71096123456769", contact_phone: "1" } })
    const found = broken(einvoice(document([item()], { terms }), at_home))
    expect(found).toEqual(isValid ? [] : [["DE-R-018", "/invoice/terms"]])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import type { Allocation } from "../../../../src/billing/credit-notes/Allocation.ts"
import type { LineItem } from "../../../../src/billing/lines/LineItem.ts"
import { CurrencyCode } from "../../../../src/kernel/Currency.ts"
import { formatAmount, zero } from "../../../../src/kernel/Money.ts"
import { Notes } from "./Notes.ts"
import { decimal, equal, invoiceOf, item } from "./RandomInvoices.ts"

const groupsOf = (note: Pick<Allocation, "tax_breakdown">, exponent = 2) =>
  note.tax_breakdown.map(
    ({ name, tax_amount, taxable_amount }) =>
      `${name}: ${formatAmount(taxable_amount, exponent)} + ${formatAmount(tax_amount, exponent)}`
  )

const sumsOf = ({ discount_amount, line_subtotal, line_total, position, quantity, tax_amount, unit_price }: LineItem) =>
  [
    position,
    ...[quantity, unit_price, line_subtotal, discount_amount, line_total, tax_amount].map(BigDecimal.format)
  ].join(" ")

const contract = () =>
  new Notes(
    invoiceOf([
      { ...item("3", "19.99", ["21"]), discount: decimal("10") },
      item("2.5", "40", ["6"]),
      item("1", "0.05", ["21"]),
      item("1", "100", [])
    ])
  )

describe("creditByLines", () => {
  it("credits a quantity with its part of the discount, and an amount that includes taxes", () => {
    const notes = contract()
    const note = notes.made([notes.quantity(0, "1"), notes.gross(1, "53.00")])
    assert.deepStrictEqual(groupsOf(note), ["21: 17.99 + 3.78", "6: 50.00 + 3.00"])
    assert.deepStrictEqual(note.items.map(sumsOf), ["1 1 19.99 19.99 2 17.99 3.78", "2 1 50 50 0 50 3"])
  })

  it("equals the invoice when it credits all quantities, including the rounding of the total", () => {
    const { invoice } = contract()
    const rounded = { ...invoice, rounding_adjustment: decimal("0.04"), total: decimal("271.40") }
    const notes = new Notes(rounded)
    const note = notes.made(["3", "2.5", "1", "1"].map((quantity, line) => notes.quantity(line, quantity)))
    assert.deepStrictEqual(groupsOf(note), groupsOf(rounded))
    assert.deepStrictEqual(note.items.map(sumsOf), rounded.items.map(sumsOf))
    equal(note.total, rounded.total)
  })

  it("counts an amount credited of a line against its quantity", () => {
    const notes = new Notes(invoiceOf([item("4", "25", ["21"]), item("1", "100", ["21"])]))
    notes.amount(decimal("121"))
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "3")]), {
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "2")])), ["21: 50.00 + 10.50"])
    assert.deepStrictEqual(notes.refused([notes.gross(1, "60.51")]), {
      "items.0.amount": [
        "The items.0.amount field may not be more than 60.50, which is left of the line with its taxes."
      ]
    })
    equal(notes.made([notes.gross(1, "60.50")]).total, decimal("60.50"))
  })

  it("counts credits from before lines were counted in proportion to the lines", () => {
    const notes = new Notes(invoiceOf([item("4", "25", ["21"]), item("1", "300", ["21"])]))
    const old = notes.amount(decimal("242"))
    notes.notes = [{ ...old, shares: old.shares.slice(0, 3) }]
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "2.1")]), {
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    notes.made([notes.quantity(0, "2"), notes.quantity(1, "0.5")])
    equal(notes.left(), zero)
  })

  it("closes a line whose thirds are not whole cents, whatever the order in which notes were deleted", () => {
    const notes = new Notes(invoiceOf([item("3", "3.333333", ["21"])]))
    const nets = ["1", "1", "1"].map((quantity) => formatAmount(notes.made([notes.quantity(0, quantity)]).subtotal, 2))
    assert.deepStrictEqual(nets, ["3.33", "3.34", "3.33"])
    notes.notes = notes.notes.slice(1)
    assert.strictEqual(formatAmount(notes.made([notes.quantity(0, "1")]).subtotal, 2), "3.33")
  })

  it("rounds the tax of many small lines once", () => {
    const notes = new Notes(
      invoiceOf(
        Array.from({ length: 4 }, () => item("1", "15", ["10"])),
        CurrencyCode.make("JPY")
      )
    )
    const first = notes.made([notes.quantity(0, "1"), notes.quantity(1, "1")])
    assert.deepStrictEqual(groupsOf(first, 0), ["10: 30 + 3"])
  })

  it.each([
    ["10", "100.00 + 21.00"],
    ["33.33", "100.00 + 21.00"]
  ])("taxes a piece exactly after a credit of %s", (amount, expected) => {
    const notes = new Notes(invoiceOf([item("4", "100", ["21"])]))
    notes.amount(decimal(amount))
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "1")])), [`21: ${expected}`])
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "1")])), [`21: ${expected}`])
  })

  it("corrects the roundings of many notes by a cent, before they add up", () => {
    const notes = new Notes(invoiceOf([item("9", "0.02", ["21"]), item("1", "10", ["21"])]))
    const taxes = Array.from({ length: 9 }, () => formatAmount(notes.made([notes.quantity(0, "1")]).tax_total, 2))
    assert.deepStrictEqual(taxes, ["0.00", "0.01", "0.00", "0.00", "0.01", "0.00", "0.01", "0.00", "0.00"])
  })

  it("takes a yen more as tax, rather than leave a rest whose tax is wrong by more than half a yen", () => {
    const notes = new Notes(invoiceOf([item("0.002", "4250", ["21", "6"])], CurrencyCode.make("JPY")))
    const half = () => groupsOf(notes.made([notes.quantity(0, "0.001")]), 0)
    assert.deepStrictEqual(half(), ["21: 5 + 1", "6: 5 + 1"])
    assert.deepStrictEqual(half(), ["21: 4 + 1", "6: 4 + 0"])
  })

  it("credits all of a line for an amount that differs from its price by a rounding", () => {
    const notes = new Notes(invoiceOf([item("1", "10.09", ["21"]), item("1", "5", ["21"])]))
    assert.deepStrictEqual(groupsOf(notes.made([notes.gross(0, "12.20")])), ["21: 10.09 + 2.11"])
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(1, "1")])), ["21: 5.00 + 1.06"])
    equal(notes.left(), zero)
  })

  it("refuses lines of other invoices, a line twice, fractions of a cent and amounts of rebates", () => {
    const notes = new Notes(invoiceOf([item("1", "100", ["21"]), item("1", "-20", ["21"]), item("1", "50", ["6"])]))
    const foreign = { ...notes.quantity(0, "1"), invoice_item_id: notes.quantity(0, "1").invoice_item_id }
    const unknown = { ...foreign, invoice_item_id: contract().invoice.items[3]?.id ?? foreign.invoice_item_id }
    assert.deepStrictEqual(
      notes.refused([
        notes.quantity(2, "1"),
        unknown,
        notes.quantity(2, "1"),
        notes.gross(0, "1.001"),
        notes.gross(1, "1")
      ]),
      {
        "items.1.invoice_item_id": ["The items.1.invoice_item_id field must name a line of the invoice."],
        "items.2.invoice_item_id": ["The items.2.invoice_item_id field may not name a line twice."],
        "items.3.amount": ["The items.3.amount field may not have more than 2 decimal places in EUR."],
        "items.4.amount": [
          "The items.4.amount field may not be given for a line with a negative amount: give its quantity."
        ]
      }
    )
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "1")]), {
      items: [
        "The items field credits more of a tax than is left of it: also name the lines with negative amounts, or credit less."
      ]
    })
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "1"), notes.quantity(1, "1")])), [
      "21: 80.00 + 16.80"
    ])
  })

  it("leaves no taxes open that cancel each other out", () => {
    const notes = new Notes(invoiceOf([item("1", "100", []), item("1", "-21", ["0"]), item("1", "50", ["0"])]))
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "1"), notes.quantity(1, "1")]), {
      items: [
        "The items field credits more of a tax than is left of it: also name the lines with negative amounts, or credit less."
      ]
    })
    const rebate = new Notes(invoiceOf([item("10", "10", []), item("1", "-20", ["0"])]))
    assert.deepStrictEqual(rebate.refused([rebate.quantity(0, "9")]), "80")
    assert.deepStrictEqual(rebate.refused([rebate.quantity(0, "8")]), {
      items: [
        "The items field leaves taxes whose sum is zero, so that no later note could credit them: name more lines."
      ]
    })
    equal(rebate.made([rebate.quantity(0, "8"), rebate.quantity(1, "0.5")]).total, decimal("70"))
    equal(rebate.amount(decimal("10")).total, decimal("10"))
  })
})

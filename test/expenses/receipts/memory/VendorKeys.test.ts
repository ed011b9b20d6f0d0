import { describe, expect, it } from "vitest"
import { vendorKeysOf } from "../../../../src/expenses/receipts/memory/VendorKeys.ts"

describe("vendorKeysOf", () => {
  it.each([
    ["USt-IdNr. DE 123 456 789", ["tax:123456789"]],
    ["VAT BE0123.456.749", ["tax:0123456749"]],
    ["CHE-123.456.789 MWST", ["tax:123456789"]],
    ["Siret 123 456 789 00012", ["tax:12345678900012"]],
    ["IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF", ["iban:DE89370400440532013000"]],
    ["Tel. 030 / 12 34 56-78 Fax -79", ["phone:12345678"]],
    ["Phone +49 (0)30 12345678", ["phone:12345678"]],
    ["NO 987 654 321 MVA", ["tax:987654321"]],
    ["Factuurnummer: 2026-0042 KvK 87654321", ["tax:87654321"]],
    ["KvK 87654321 BTW NL812345678B01 Factuur 20260042", ["tax:87654321", "tax:812345678"]],
    ["Factuurdatum: 01-03-2026 BTW-nummer NL812345678B01", ["tax:812345678"]],
    ["Btw verlegd, datum 01.03.2026", []],
    ["Bedrag excl. btw, factuur 20260042", []],
    ["Invoice no 20260042 of 2026-03-01", []],
    ["Tevens de 01-03-2026", []],
    ["MwSt 19 % 112,34 21,34 133,68", []],
    ["27.02.2026 12:41 Bon 4711", []]
  ])("finds in %s what identifies the vendor", (row, keys) => {
    expect(vendorKeysOf([row], [], [])).toEqual(keys)
  })

  it("spells names only with letters and digits, and omits short ones", () => {
    expect(vendorKeysOf([], ["CAFÉ Zürich", "Cafe Zurich", "A&O"], [])).toEqual(["name:cafezurich"])
  })

  it("omits words for kinds of shops, which many vendors print in a row of their own", () => {
    const names = ["RESTAURANT", "Café Bar", "Restaurant De Zwaan"]
    expect(vendorKeysOf([], names, [])).toEqual(["name:restaurantdezwaan"])
  })

  it("leaves out the organization's own numbers", () => {
    const rows = ["Kunde: USt-IdNr. DE123456789", "Tel. 030 12345678", "IBAN BE68539007547034", "UID DE999999999"]
    expect(vendorKeysOf(rows, [], ["DE123456789", "+49 30 12345678", "BE68539007547034"])).toEqual(["tax:999999999"])
  })
})

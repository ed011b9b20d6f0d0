import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

const receipt = (name: string) => `${name}\nRue Neuve 12\n27/02/2026 12:41\nVis inox 26,45\nTOTAL 26,45\nCB 26,45`
const linesOf = (name: string) => photo(name).pages[0]?.passes[0]?.lines ?? []

describe("extract: which vendor", () => {
  it("is never the organization itself", async () => {
    const invoice = `
Atelier Lumière SRL
Rue Haute 12
1000 Bruxelles

Imprimerie Moderne SAS
69007 Lyon
Facture N° 2026-17
Date: 27/02/2026
Total TTC        121,00
`
    expect((await extract(textPdf(invoice), belgium)).fields.vendor).toBe("Imprimerie Moderne SAS")
  })

  it("is taken from the head, read again, where the first reading is doubtful", async () => {
    const heads = ["CUINCAILLERIE LEMAIRE", "QUINCAILLERIE LEMAIRE", "QUINCAILLERIE LEMAIRE"].map(linesOf)
    let asked = 0
    const again = {
      reread: () => Promise.resolve([]),
      readHead: () => {
        asked++
        return Promise.resolve(heads)
      }
    }
    const doubtful = photo(receipt("CUINC AILLEPIF LFMAIRE"), receipt("CUINC AILLEPIF LFMAIRE"), 0.8)
    expect((await extract(doubtful, belgium)).fields.vendor).toBe("CUINC AILLEPIF LFMAIRE")
    expect((await extract(doubtful, belgium, again)).fields.vendor).toBe("QUINCAILLERIE LEMAIRE")
    expect(asked).toBe(1)
    const clear = receipt("Quincaillerie Lemaire SARL")
    expect((await extract(photo(clear, clear, 0.99), belgium, again)).fields.vendor).toBe("Quincaillerie Lemaire SARL")
    expect(asked).toBe(1)
  })

  it("is kept, with the date, where no amount is found", async () => {
    const extraction = await extract(photo("Northwind Bakery\nRue Neuve 12\n27/02/2026 12:41\nTOTAL EUR"), belgium)
    expect(extraction).toMatchObject({
      status: "failed",
      fields: { vendor: "Northwind Bakery", expense_date: "2026-02-27" },
      confidence: { overall: 0 },
      error: { code: "no_amount" }
    })
  })

  it("has its legal form spelled right", async () => {
    const text = "SUN VICTORY SON BHD\nNo. 1, Jalan Dutamas 1\n27/02/2026 12:41\nTeh 26.45\nTOTAL 26.45\nCASH 26.45"
    expect((await extract(photo(text), hintsOf("MY", "MYR"))).fields.vendor).toBe("SUN VICTORY SDN BHD")
  })

  it("has the accents and spaces that a second engine reads", async () => {
    const reading = photo(
      "QUINCAILLERIEFEVRE SARL\n12 rue Neuve\n27/02/2026 12:41\nVis inox 26,45\nTOTAL 26,45\nCB 26,45"
    )
    const pages = reading.pages.map((page) => ({ ...page, passes: page.passes.slice(0, 1) }))
    const name = async (second: string) =>
      (await extract({ ...reading, pages }, belgium, { reread: () => Promise.resolve([second]) })).fields.vendor
    expect(await name("QUINCAILLERIE FÈVRE SARL")).toBe("QUINCAILLERIE FÈVRE SARL")
    expect(await name("QUINCAILLERIE LIEVRE SARL")).toBe("QUINCAILLERIEFEVRE SARL")
  })

  it("has no zeros for the letter O, and the legal form that stands in the next row", async () => {
    const text = "W00DY H0USE TIMBER\n(NORTH) SDN BHD\nJALAN BESAR 12\n27/02/2026 12:41\nTOTAL 26.45\nCASH 26.45"
    expect((await extract(photo(text), hintsOf("MY", "MYR"))).fields.vendor).toBe("WOODY HOUSE TIMBER (NORTH) SDN BHD")
  })

  it("may span two rows of large letters", async () => {
    const reading = photo(
      "Quincaillerie\nFontaine\n12 rue Neuve\n75011 Paris\n27/02/2026 12:41\nVis inox 26,45\nTOTAL 26,45\nCB 26,45"
    )
    const tall = new Set(["Quincaillerie", "Fontaine"])
    const pages = reading.pages.map((page) => ({
      ...page,
      passes: page.passes.map((pass) => ({
        ...pass,
        lines: pass.lines.map(({ words }) => ({
          words: words.map((word) => (tall.has(word.text) ? { ...word, y0: word.y0 - 6, y1: word.y1 + 6 } : word))
        }))
      }))
    }))
    expect((await extract({ ...reading, pages }, hintsOf("FR", "EUR"))).fields.vendor).toBe("Quincaillerie Fontaine")
  })

  it.each([
    ["a registration number without a space", "NORTHWIND BAKERY(KL)SDNBHD(139386X)", "NORTHWIND BAKERY(KL)SDNBHD"],
    [
      "a second row that begins with an ampersand",
      "NORTHWIND BREAD\n& CAKE (M) SDN. BHD.",
      "NORTHWIND BREAD & CAKE (M) SDN. BHD."
    ],
    ["a heading above it", "SIMPLIFIED TAX INVOICE\nNORTHWIND & COMPANY", "NORTHWIND & COMPANY"],
    [
      "its legal form two rows below",
      "NORTHWIND HARDWARE\nENTERPRISE (SETIA\nALAM) SDN BHD",
      "NORTHWIND HARDWARE ENTERPRISE (SETIA ALAM) SDN BHD"
    ],
    ["a slogan above it", "Thank you for shopping with us\nNORTHWIND BAKERY", "NORTHWIND BAKERY"],
    ["the name of a cashier above it", "lee mei lin\nNORTHWIND TRADING", "NORTHWIND TRADING"],
    [
      "a floor and a town with its state below it",
      "Northwind Grill\nLevel 2 Galleria\nSpringfield, NY 10003",
      "Northwind Grill"
    ],
    ["a greeting before it", "Welcome to Northwind Bakery\nSpringfield Mall", "Northwind Bakery"],
    ["its registration number below it", "OLD NORTH\nWIND SUPPLIES\n(123456-X)", "WIND SUPPLIES"],
    ["a registration number with a label", "Old North\nNorthwind Traders\nCo. Reg. No. 123456-X", "Northwind Traders"],
    ["a kind of shop above it", "Store\nNorthwind Group Ltd", "Northwind Group Ltd"],
    ["a brand and its owner", "OLD NORTH\nOWN BY:WIND FOODS SDN BHD", "WIND FOODS SDN BHD"],
    ["a greeting above it", "YOUR GUEST NUMBER IS\nNORTHWIND BREAD", "NORTHWIND BREAD"],
    ["digits in it and a town with its postal code below it", "7-11 NORTH\nSPRINGFIELD WA 98104", "7-11 NORTH"],
    ["a word that also states the capital of a company", "Lunch News\nThe Capital Grille", "The Capital Grille"],
    ["the word for a bill above it", "CHECK\nnorthwind group", "northwind group"],
    ["a word that resembles one of an address", "Northwind News\nNorthwind's Pizza Palace", "Northwind's Pizza Palace"]
  ])("may have %s", async (_, head, vendor) => {
    const text = `${head}\nJALAN BESAR 12\n27/02/2026 12:41\nTOTAL 26.45\nCASH 26.45`
    expect((await extract(photo(text), hintsOf("MY", "MYR"))).fields.vendor).toBe(vendor)
  })
})

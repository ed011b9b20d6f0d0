import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, tilted } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

const text = `Librairie Dupont
Rue Neuve 12
27/02/2026 12:41
Papier A4                                   20,00
Stylos                                      12,00
Sous-total                                  32,00
TVA 21 %                                     6,72
TOTAL                                       38,72
Espèces                                     50,00
Rendu                                       11,28
Merci de votre visite`

describe("extract: a tilted receipt", () => {
  it.each([-0.12, -0.06, 0.06, 0.12])(
    "keeps each amount with its label when its lines fall by %d of their length",
    async (slope) => {
      const extraction = await extract(tilted(text, slope), belgium)
      expect(extraction).toMatchObject({ status: "done", fields: { amount: "38.72", tax_amount: "6.72" } })
    }
  )
})

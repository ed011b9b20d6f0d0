import type { Extraction } from "../../../../../src/expenses/receipts/records/Extraction.ts"

export const plain = (more: { total?: string; date?: string; after?: string; vendor?: string } = {}) => `
       ${more.vendor ?? "Librairie Dupont"}
       Rue Neuve 12
       1000 Bruxelles

  Papier A4                 9,90
  Stylos                   16,55

  TOTAL EUR                ${more.total ?? "26,45"}
${more.after ?? ""}
  ${more.date ?? "27/02/2026 12:41"}
  Merci de votre visite
`

export const check = (extraction: Extraction, code: string) =>
  extraction.checks.find((one) => one.code === code)?.passed

import { categoryWords } from "../scan/CategoryWords.ts"
import { folded } from "../scan/Keywords.ts"
import { merchantIn, type MerchantKind } from "../scan/Merchants.ts"
import type { Scan } from "../scan/Scan.ts"

const kindCategories: Readonly<Partial<Record<MerchantKind, string>>> = {
  fuel: "vehicle",
  travel: "travel",
  meals: "meals",
  repairs: "repairs",
  office_supplies: "office_supplies",
  equipment: "equipment",
  telecom: "telecom",
  shipping: "shipping",
  software: "software"
}

const words_min = 2

export const categoryOfVendor = (vendor: string): string | undefined => {
  const kind = merchantIn(vendor)
  return kind && kindCategories[kind]
}

/** Returns the category of a known vendor, or the one that most words, at least two, suggest. */
export const categoryOf = (scan: Scan, vendor: string | undefined): string | undefined => {
  const rows = scan.rows.filter((row) => row.position < 0.25 && row.page === 0).slice(0, 12)
  const kind = [vendor ?? "", ...rows.map((row) => row.text)].map(merchantIn).find((one) => one !== undefined)
  if (kind !== undefined && (kindCategories[kind] !== undefined || kind === "groceries")) return kindCategories[kind]
  const text = scan.rows.map((row) => folded(row.text)).join("\n")
  const counts = categoryWords
    .map(([category, words]) => ({ category, count: new Set(text.match(words)).size }))
    .toSorted((a, b) => b.count - a.count)
  const [first, second] = counts
  return first !== undefined && first.count >= words_min && first.count > (second?.count ?? 0)
    ? first.category
    : undefined
}

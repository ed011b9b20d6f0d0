const units = [
  { unit: "megabyte", bytes: 1_000_000, unitDisplay: "short" },
  { unit: "kilobyte", bytes: 1000, unitDisplay: "short" },
  { unit: "byte", bytes: 1, unitDisplay: "long" }
] as const

/** Formats a file size for a locale: `999 bytes`, `1.5 kB`, `10,5 Mo`. A kilobyte is 1000 bytes (SI). */
export const fileSize = (bytes: number, locale: string): string => {
  // A size that would be rounded up to 1000 uses the larger unit instead.
  const chosen = units.find((unit) => bytes >= unit.bytes * 0.99995) ?? units[2]
  const { unit, unitDisplay } = chosen
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(
    bytes / chosen.bytes
  )
}

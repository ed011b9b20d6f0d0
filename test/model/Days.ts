const day_ms = 86_400_000

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / day_ms

export const dayIn = (timezone: string, moment_ms: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(moment_ms)

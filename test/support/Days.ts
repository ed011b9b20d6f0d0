/** Returns the current day in a time zone, where it may be a day later than in UTC. */
export const dayIn = (zone: "Europe/Brussels" | "Europe/Madrid"): string =>
  new Date().toLocaleDateString("sv-SE", { timeZone: zone })

/** Returns the day of a time zone, in which the calendar may be a day further than in UTC. */
export const dayIn = (zone: "Europe/Brussels" | "Europe/Madrid"): string =>
  new Date().toLocaleDateString("sv-SE", { timeZone: zone })

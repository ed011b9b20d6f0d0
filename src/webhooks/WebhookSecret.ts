const hint_characters = 4

/** What a sealed secret belongs to: it opens nowhere else. */
export const secretContext = (organization_id: number, webhook_id: number): string =>
  `webhook:${organization_id}:${webhook_id}`

/** Enough to tell two secrets apart, and to sign nothing. */
export const secretHint = (secret: string): string => `...${secret.slice(-hint_characters)}`

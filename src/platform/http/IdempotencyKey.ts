const characters_max = 255

/** Whether a text may be a key; it is kept with the answer. */
export const isIdempotencyKey = (text: string): boolean => text.length > 0 && text.length <= characters_max

/** For one that may not. */
export const idempotency_key_rule = `The Idempotency-Key must have 1 to ${characters_max} characters.`

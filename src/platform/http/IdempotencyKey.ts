const characters_max = 255

/** The length is limited, because the key is stored with the answer. */
export const isIdempotencyKey = (text: string): boolean => text.length > 0 && text.length <= characters_max

export const idempotency_key_rule = `The Idempotency-Key must have 1 to ${characters_max} characters.`

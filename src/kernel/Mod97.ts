/** Returns the remainder of the text modulo 97 (ISO 7064 MOD 97-10). Letters have the values 10 to 35. */
export const remainder97 = (text: string): number => {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

import * as fc from "fast-check"

/** Input that breaks parsers: markup, quotes, separators, control characters, unpaired surrogates. */
const pieces = [
  "\u0000",
  "<",
  "</",
  ">",
  "&",
  '"',
  ";",
  ",",
  "\n",
  "\r",
  " ",
  "é",
  "\u{1f600}",
  "\ud800",
  "\ufeff",
  "a",
  "0",
  "9",
  "-"
]

export const junk = (maxLength = 20) => fc.string({ unit: fc.constantFrom(...pieces), maxLength })

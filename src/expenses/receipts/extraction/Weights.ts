/** The extractor's weights, written by `scripts/bench/ocr/fit.ts`: edit the priors there, not the figures here. */
export const total = {
  joined: 0.151,
  bias: -4.348,
  due: 0.177,
  total: 2.015,
  last_total: 0.82,
  rounded: 1.5,
  subtotal: -1.206,
  only_subtotal: -0.806,
  tax: -1.829,
  cash: -0.554,
  only_cash: -1.536,
  card: 1.306,
  change: -2.003,
  discount: -2.008,
  quantity: -0.977,
  rounding: -1.985,
  tip: -1.49,
  points: -1.525,
  equivalent: -1.5,
  deposit: -1,
  identifier: -1.5,
  unlabelled: -1.73,
  largest: 0.703,
  smaller: -1.517,
  larger_than_payable: -1.032,
  repeated: 0.746,
  often_repeated: 1.066,
  large_type: 0.5,
  position: 1.629,
  early: -0.501,
  currency: 0.039,
  no_decimals: -0.85,
  negative: -2,
  repaired: -0.822,
  unit_price: -1.504,
  crowded: -0.193,
  cash_less_change: 3.419,
  subtotal_and_tax: 2.206,
  items: 0.846,
  tax_table: 0.677,
  net_and_tax: -0.295,
  tax_fits: 0.582,
  paid: 1.506,
  with_tip: 1.322,
  less_deposit: 1,
  rounds_a_total: 0.939,
  both_passes: 0.042,
  confidence: 1.724
} as const
export type TotalFeature = keyof typeof total

export const date = {
  bias: -1.273,
  date: 1.294,
  not_date: -4.536,
  above_not_date: -2,
  time: 1.489,
  several: -0.8,
  second: -0.3,
  identifier: -0.3,
  customer: -0.2,
  iso: 0.692,
  four_digit_year: 0.433,
  month_name: 0.664,
  two_digit_year: 0.332,
  year_first: -1.2,
  compact: -1.5,
  repeated: 0.46,
  both_passes: -0.081,
  top: 0.25,
  bottom: -0.096,
  ambiguous: -0.3,
  future: -3.874,
  recent: 2.552,
  old: -1.462,
  ancient: -2.702,
  latest: -0.638,
  confidence: 2.099
} as const
export type DateFeature = keyof typeof date

export const vendor = {
  bias: -2.978,
  first: 3.317,
  second: 2.046,
  third: -0.799,
  depth: -4.203,
  below_head: -1.5,
  large_type: 1,
  legal_form: 1.175,
  domain: 1.623,
  repeated: -0.435,
  merchant: 1.785,
  address: -1.811,
  postal_code: -2.284,
  contact: -1.766,
  title: -3.165,
  only_title: -2.96,
  customer: -2.628,
  identifier: -2.013,
  dated: -2.061,
  priced: -2.398,
  digits: -7.122,
  capitals: 0.326,
  short: -0.559,
  long: -0.283,
  many_words: -0.964,
  noise: -2.082,
  confidence: 2.83
} as const
export type VendorFeature = keyof typeof vendor

export const amountConfidence = {
  bias: -1.336,
  log_odds: 0.815,
  passes_agree: 0.682,
  passes_differ: -0.518,
  one_digit_off: -0.489,
  arithmetic: 1.346,
  paid: 0.945,
  labelled: 0.545,
  seen_again: 0.573,
  contradicted: -1.512,
  repaired: -0.421,
  confidence: 1.54,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type AmountEvidence = keyof typeof amountConfidence

/** A text layer has no misread digits: only the choice can be wrong. */
export const amountConfidenceInText: Readonly<Record<AmountEvidence, number>> = {
  bias: 1.128,
  log_odds: 0.893,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.964,
  arithmetic: 1.228,
  paid: 0.802,
  labelled: 0.728,
  seen_again: 0.509,
  contradicted: -1.481,
  repaired: -0.5,
  confidence: 0.128,
  reread_agrees: 1,
  reread_differs: -1.5
}

export const dateConfidence = {
  bias: -1.341,
  log_odds: 0.99,
  passes_agree: 0.301,
  passes_differ: -0.551,
  one_digit_off: -0.496,
  labelled: 0.319,
  time: 0.059,
  seen_again: 0.463,
  ambiguous: -2,
  recent: 0.748,
  old: -0.939,
  confidence: 1.057,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type DateEvidence = keyof typeof dateConfidence

export const dateConfidenceInText: Readonly<Record<DateEvidence, number>> = {
  bias: 1.065,
  log_odds: 0.875,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.992,
  labelled: 0.438,
  time: 0.433,
  seen_again: 0.5,
  ambiguous: -2,
  recent: 0.865,
  old: -0.8,
  confidence: 0.065,
  reread_agrees: 1,
  reread_differs: -1.5
}

export const vendorConfidence = {
  bias: -0.537,
  log_odds: 0.898,
  confidence: 1.33
} as const

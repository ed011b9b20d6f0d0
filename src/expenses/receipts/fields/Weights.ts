/** The extractor's weights, written by `scripts/bench/ocr/fit.ts`: edit the priors there, not the figures here. */
export const totalWeights = {
  joined: 0.21,
  bias: -3.66,
  due: 0.33,
  total: 1.84,
  last_total: 0.82,
  rounded: 1.5,
  subtotal: -0.97,
  only_subtotal: -0.76,
  tax: -2.01,
  cash: -0.39,
  only_cash: -1.57,
  card: 1.57,
  change: -2.01,
  discount: -2.02,
  quantity: -1,
  rounding: -2,
  tip: -1.52,
  points: -1.54,
  equivalent: -1.5,
  deposit: -1,
  identifier: -1.45,
  unlabelled: -1.21,
  largest: 0.15,
  smaller: -1.53,
  larger_than_payable: -1.08,
  repeated: 0.48,
  often_repeated: 0.23,
  large_type: 0.5,
  position: 1.45,
  early: -0.5,
  currency: 0.1,
  no_decimals: -0.84,
  negative: -2,
  repaired: -0.42,
  unit_price: -1.51,
  crowded: -0.44,
  cash_less_change: 3.11,
  subtotal_and_tax: 2.53,
  items: 0.61,
  tax_table: 1.19,
  net_and_tax: -0.56,
  tax_fits: 0.9,
  paid: 1.77,
  with_tip: 1.63,
  rounds_a_total: 1.18,
  both_passes: 0.59,
  confidence: 1.47
} as const
export type TotalFeature = keyof typeof totalWeights

export const dateWeights = {
  issue_date: 1.88,
  priced: -1.33,
  bias: -1.81,
  date: 0.66,
  not_date: -3.99,
  above_not_date: -2,
  time: 1.99,
  several: -0.8,
  second: -0.3,
  identifier: -0.3,
  customer: -0.2,
  iso: 0.77,
  four_digit_year: 0.34,
  month_name: 0.15,
  two_digit_year: 0.33,
  year_first: -1.2,
  compact: -1.5,
  repeated: 0.66,
  both_passes: -0.11,
  top: 0.2,
  bottom: -0.26,
  ambiguous: -0.3,
  future: -3.89,
  recent: 2.12,
  old: -1.54,
  latest: 0.04,
  confidence: 2.05
} as const
export type DateFeature = keyof typeof dateWeights

export const vendorWeights = {
  payment: -4.23,
  right_column: -1.26,
  bias: -2.89,
  first: 3.19,
  second: 1.8,
  third: 1.13,
  depth: -4.31,
  below_head: -1.5,
  large_type: 1,
  legal_form: 1.79,
  domain: 1.67,
  repeated: -0.52,
  merchant: 1.37,
  address: -1.65,
  postal_code: -2.43,
  contact: -1.9,
  title: -2.83,
  only_title: -2.98,
  customer: -2.64,
  identifier: -2.32,
  dated: -2.38,
  priced: -2.86,
  digits: -6.38,
  capitals: 0.54,
  short: -1.56,
  long: -0.27,
  many_words: -1.2,
  noise: -2.06,
  confidence: 2.69
} as const
export type VendorFeature = keyof typeof vendorWeights

export const amountConfidence = {
  bias: -1.57,
  log_odds: 0.92,
  passes_agree: 0.48,
  passes_differ: -0.55,
  one_digit_off: -0.56,
  arithmetic: 1.34,
  paid: 0.68,
  labelled: 0.62,
  seen_again: 0.58,
  contradicted: -1.65,
  repaired: -0.52,
  confidence: 1.39,
  reread_agrees: 1,
  reread_differs: -3
} as const
export type AmountEvidence = keyof typeof amountConfidence

/** A text layer has no misread digits, so only the choice of the candidate can be wrong. */
export const amountConfidenceInText: Readonly<Record<AmountEvidence, number>> = {
  bias: 1.14,
  log_odds: 0.88,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.95,
  arithmetic: 1.23,
  paid: 0.81,
  labelled: 0.74,
  seen_again: 0.51,
  contradicted: -1.5,
  repaired: -0.5,
  confidence: 0.14,
  reread_agrees: 1,
  reread_differs: -3
}

export const dateConfidence = {
  not_date: -2.6,
  bias: -1.25,
  log_odds: 0.77,
  passes_agree: 0.51,
  passes_differ: -0.59,
  one_digit_off: -0.53,
  labelled: 0.48,
  time: 0.12,
  seen_again: 0.55,
  ambiguous: -2,
  recent: 0.87,
  old: -0.95,
  confidence: 1.19,
  reread_agrees: 1,
  reread_differs: -3
} as const
export type DateEvidence = keyof typeof dateConfidence

export const dateConfidenceInText: Readonly<Record<DateEvidence, number>> = {
  not_date: -2.5,
  bias: 1.09,
  log_odds: 0.89,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.96,
  labelled: 0.44,
  time: 0.46,
  seen_again: 0.52,
  ambiguous: -2,
  recent: 0.89,
  old: 0,
  confidence: 0.09,
  reread_agrees: 1,
  reread_differs: -3
}

export const vendorConfidence = {
  bias: -0.32,
  log_odds: 0.81,
  confidence: 1.46
} as const

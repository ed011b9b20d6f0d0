/** The extractor's weights, written by `scripts/bench/ocr/fit.ts`: edit the priors there, not the figures here. */
export const total = {
  bias: -3,
  due: 2.5,
  total: 2,
  last_total: 0.6,
  rounded: 1.5,
  subtotal: -1.2,
  only_subtotal: -1,
  tax: -2.5,
  cash: -0.3,
  only_cash: -1.5,
  card: 0.8,
  change: -2,
  discount: -2,
  quantity: -1,
  rounding: -2,
  tip: -1.5,
  points: -1.5,
  equivalent: -1.5,
  deposit: -1,
  identifier: -1.5,
  unlabelled: -1,
  largest: 1.2,
  smaller: -0.5,
  larger_than_payable: -1,
  repeated: 0.6,
  often_repeated: 0.3,
  large_type: 0.5,
  position: 0.3,
  early: -0.5,
  currency: 0.5,
  no_decimals: -0.8,
  negative: -2,
  repaired: -0.5,
  unit_price: -1.5,
  crowded: -0.4,
  cash_less_change: 2,
  subtotal_and_tax: 1.5,
  items: 1,
  tax_table: 1.5,
  net_and_tax: 0.8,
  tax_fits: 0.8,
  paid: 1,
  with_tip: 1.2,
  less_deposit: 1,
  rounds_a_total: 0.8,
  both_passes: 0.6,
  confidence: 0.5
} as const
export type TotalFeature = keyof typeof total

export const date = {
  bias: -1,
  date: 1,
  not_date: -2.5,
  above_not_date: -2,
  time: 1,
  several: -0.8,
  second: -0.3,
  identifier: -0.3,
  customer: -0.2,
  iso: 0.8,
  four_digit_year: 0.8,
  month_name: 0.8,
  two_digit_year: 0,
  year_first: -1.2,
  compact: -1.5,
  repeated: 0.5,
  both_passes: 0.6,
  top: 0.3,
  bottom: 0.2,
  ambiguous: -0.3,
  future: -3,
  recent: 1,
  old: -0.5,
  ancient: -2,
  latest: 0.2,
  confidence: 0.8
} as const
export type DateFeature = keyof typeof date

export const vendor = {
  bias: -1,
  first: 1.5,
  second: 0.6,
  third: 0.2,
  depth: -2,
  below_head: -1.5,
  large_type: 1,
  legal_form: 1.5,
  domain: 1.2,
  repeated: 0.5,
  merchant: 1.5,
  address: -1.5,
  postal_code: -2,
  contact: -2,
  title: -1,
  only_title: -2,
  customer: -2.5,
  identifier: -2,
  dated: -2,
  priced: -2,
  digits: -3,
  capitals: 0.2,
  short: -0.4,
  long: -0.5,
  many_words: -0.5,
  noise: -2,
  confidence: 1
} as const
export type VendorFeature = keyof typeof vendor

export const amountConfidence = {
  bias: -1.5,
  log_odds: 0.6,
  passes_agree: 1,
  passes_differ: -1,
  one_digit_off: -1,
  arithmetic: 1.2,
  paid: 0.8,
  labelled: 0.6,
  seen_again: 0.5,
  contradicted: -1.5,
  repaired: -0.5,
  confidence: 1.2,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type AmountEvidence = keyof typeof amountConfidence

/** A text layer has no misread digits: only the choice can be wrong. */
export const amountConfidenceInText: Readonly<Record<AmountEvidence, number>> = {
  ...amountConfidence,
  bias: 1,
  passes_agree: 0,
  passes_differ: 0,
  confidence: 0
}

export const dateConfidence = {
  bias: -1,
  log_odds: 0.6,
  passes_agree: 1,
  passes_differ: -1,
  one_digit_off: -1,
  labelled: 0.4,
  time: 0.4,
  seen_again: 0.5,
  ambiguous: -2,
  recent: 0.8,
  old: -0.8,
  confidence: 1.2,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type DateEvidence = keyof typeof dateConfidence

export const dateConfidenceInText: Readonly<Record<DateEvidence, number>> = {
  ...dateConfidence,
  bias: 1,
  passes_agree: 0,
  passes_differ: 0,
  confidence: 0
}

export const vendorConfidence = { bias: -0.5, log_odds: 0.8, confidence: 0.8 } as const

/** The extractor's weights, written by `scripts/bench/ocr/fit.ts`: edit the priors there, not the figures here. */
export const total = {
  joined: 0.153,
  bias: -4.367,
  due: 0.179,
  total: 2.03,
  last_total: 0.828,
  rounded: 1.5,
  subtotal: -1.197,
  only_subtotal: -0.798,
  tax: -1.827,
  cash: -0.553,
  only_cash: -1.534,
  card: 1.314,
  change: -2.003,
  discount: -2.008,
  quantity: -0.976,
  rounding: -1.985,
  tip: -1.49,
  points: -1.524,
  equivalent: -1.5,
  deposit: -1,
  identifier: -1.5,
  unlabelled: -1.704,
  largest: 0.7,
  smaller: -1.519,
  larger_than_payable: -1.031,
  repeated: 0.746,
  often_repeated: 1.065,
  large_type: 0.5,
  position: 1.638,
  early: -0.501,
  currency: 0.041,
  no_decimals: -0.849,
  negative: -2,
  repaired: -0.821,
  unit_price: -1.504,
  crowded: -0.192,
  cash_less_change: 3.42,
  subtotal_and_tax: 2.207,
  items: 0.849,
  tax_table: 0.679,
  net_and_tax: -0.295,
  tax_fits: 0.584,
  paid: 1.514,
  with_tip: 1.323,
  less_deposit: 1,
  rounds_a_total: 0.936,
  both_passes: 0.035,
  confidence: 1.713
} as const
export type TotalFeature = keyof typeof total

export const date = {
  priced: -0.727,
  bias: -1.253,
  date: 1.288,
  not_date: -4.562,
  above_not_date: -2,
  time: 1.46,
  several: -0.8,
  second: -0.3,
  identifier: -0.3,
  customer: -0.2,
  iso: 0.693,
  four_digit_year: 0.443,
  month_name: 0.665,
  two_digit_year: 0.339,
  year_first: -1.2,
  compact: -1.5,
  repeated: 0.435,
  both_passes: -0.083,
  top: 0.261,
  bottom: -0.092,
  ambiguous: -0.3,
  future: -3.867,
  recent: 2.563,
  old: -1.461,
  ancient: -2.699,
  latest: -0.66,
  confidence: 2.111
} as const
export type DateFeature = keyof typeof date

export const vendor = {
  payment: 0.126,
  right_column: -1.486,
  bias: -3.168,
  first: 3.671,
  second: 2.257,
  third: -0.878,
  depth: -4.288,
  below_head: -1.5,
  large_type: 1,
  legal_form: 1.436,
  domain: 1.534,
  repeated: -0.871,
  merchant: 1.803,
  address: -1.708,
  postal_code: -2.273,
  contact: -1.739,
  title: -3.167,
  only_title: -2.92,
  customer: -2.593,
  identifier: -2.054,
  dated: -2.288,
  priced: -2.811,
  digits: -6.661,
  capitals: 0.297,
  short: -1.501,
  long: -0.287,
  many_words: -1.137,
  noise: -2.091,
  confidence: 2.682
} as const
export type VendorFeature = keyof typeof vendor

export const amountConfidence = {
  bias: -1.335,
  log_odds: 0.816,
  passes_agree: 0.684,
  passes_differ: -0.519,
  one_digit_off: -0.489,
  arithmetic: 1.345,
  paid: 0.945,
  labelled: 0.544,
  seen_again: 0.573,
  contradicted: -1.513,
  repaired: -0.421,
  confidence: 1.541,
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
  arithmetic: 1.227,
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
  bias: -1.344,
  log_odds: 0.987,
  passes_agree: 0.292,
  passes_differ: -0.554,
  one_digit_off: -0.495,
  labelled: 0.327,
  time: 0.067,
  seen_again: 0.464,
  ambiguous: -2,
  recent: 0.743,
  old: -0.939,
  confidence: 1.057,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type DateEvidence = keyof typeof dateConfidence

export const dateConfidenceInText: Readonly<Record<DateEvidence, number>> = {
  bias: 1.065,
  log_odds: 0.874,
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
  bias: -0.518,
  log_odds: 0.9,
  confidence: 1.363
} as const

/** The extractor's weights, written by `scripts/bench/ocr/fit.ts`: edit the priors there, not the figures here. */
export const total = {
  joined: 0.157,
  bias: -3.764,
  due: 0.392,
  total: 2.145,
  last_total: 0.436,
  rounded: 1.5,
  subtotal: -1.191,
  only_subtotal: -0.601,
  tax: -2.233,
  cash: -0.391,
  only_cash: -1.566,
  card: 1.429,
  change: -2.006,
  discount: -2.015,
  quantity: -0.902,
  rounding: -2,
  tip: -1.512,
  points: -1.543,
  equivalent: -1.5,
  deposit: -1,
  identifier: -1.5,
  unlabelled: -1.06,
  largest: 0.25,
  smaller: -1.558,
  larger_than_payable: -1.081,
  repeated: 0.491,
  often_repeated: 0.281,
  large_type: 0.5,
  position: 1.471,
  early: -0.503,
  currency: 0.206,
  no_decimals: -0.836,
  negative: -2,
  repaired: -0.422,
  unit_price: -1.519,
  crowded: -0.409,
  cash_less_change: 3.185,
  subtotal_and_tax: 2.49,
  items: 0.562,
  tax_table: 1.155,
  net_and_tax: -0.555,
  tax_fits: 0.907,
  paid: 1.629,
  with_tip: 1.8,
  less_deposit: 1,
  rounds_a_total: 1.23,
  both_passes: 0.592,
  confidence: 1.474
} as const
export type TotalFeature = keyof typeof total

export const date = {
  issue_date: 1.879,
  priced: -1.328,
  bias: -1.81,
  date: 0.661,
  not_date: -3.987,
  above_not_date: -2,
  time: 1.99,
  several: -0.8,
  second: -0.3,
  identifier: -0.3,
  customer: -0.2,
  iso: 0.769,
  four_digit_year: 0.337,
  month_name: 0.152,
  two_digit_year: 0.332,
  year_first: -1.2,
  compact: -1.5,
  repeated: 0.663,
  both_passes: -0.11,
  top: 0.196,
  bottom: -0.257,
  ambiguous: -0.3,
  future: -3.893,
  recent: 2.122,
  old: -1.539,
  ancient: -2.467,
  latest: 0.042,
  confidence: 2.047
} as const
export type DateFeature = keyof typeof date

export const vendor = {
  payment: -2.356,
  right_column: -1.371,
  bias: -2.681,
  first: 3.003,
  second: 1.613,
  third: 1.247,
  depth: -4.305,
  below_head: -1.501,
  large_type: 1,
  legal_form: 1.986,
  domain: 1.796,
  repeated: -0.486,
  merchant: 1.377,
  address: -1.513,
  postal_code: -2.5,
  contact: -2.168,
  title: -2.835,
  only_title: -3.028,
  customer: -2.673,
  identifier: -2.095,
  dated: -2.446,
  priced: -2.973,
  digits: -6.58,
  capitals: 0.611,
  short: -1.527,
  long: -0.272,
  many_words: -1.209,
  noise: -2.053,
  confidence: 2.659
} as const
export type VendorFeature = keyof typeof vendor

export const amountConfidence = {
  bias: -1.586,
  log_odds: 0.87,
  passes_agree: 0.513,
  passes_differ: -0.599,
  one_digit_off: -0.483,
  arithmetic: 1.12,
  paid: 0.681,
  labelled: 0.616,
  seen_again: 0.542,
  contradicted: -1.479,
  repaired: -0.448,
  confidence: 1.337,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type AmountEvidence = keyof typeof amountConfidence

/** A text layer has no misread digits: only the choice can be wrong. */
export const amountConfidenceInText: Readonly<Record<AmountEvidence, number>> = {
  bias: 1.149,
  log_odds: 0.897,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.953,
  arithmetic: 1.223,
  paid: 0.806,
  labelled: 0.749,
  seen_again: 0.51,
  contradicted: -1.475,
  repaired: -0.5,
  confidence: 0.149,
  reread_agrees: 1,
  reread_differs: -1.5
}

export const dateConfidence = {
  bias: -1.357,
  log_odds: 0.875,
  passes_agree: 0.37,
  passes_differ: -0.557,
  one_digit_off: -0.475,
  labelled: 0.521,
  time: 0.181,
  seen_again: 0.535,
  ambiguous: -2,
  recent: 0.686,
  old: -0.922,
  confidence: 1.078,
  reread_agrees: 1,
  reread_differs: -1.5
} as const
export type DateEvidence = keyof typeof dateConfidence

export const dateConfidenceInText: Readonly<Record<DateEvidence, number>> = {
  bias: 1.087,
  log_odds: 0.886,
  passes_agree: 0,
  passes_differ: 0,
  one_digit_off: -0.959,
  labelled: 0.438,
  time: 0.459,
  seen_again: 0.516,
  ambiguous: -2,
  recent: 0.887,
  old: -0.8,
  confidence: 0.087,
  reread_agrees: 1,
  reread_differs: -1.5
}

export const vendorConfidence = {
  bias: -0.376,
  log_odds: 0.848,
  confidence: 1.403
} as const

import { Schema } from "effect"

export const TransactionStatus = Schema.Literals([
  "unmatched",
  "suggested",
  "partially_matched",
  "matched",
  "excluded"
]).annotate({
  identifier: "TransactionStatus",
  description:
    "`unmatched`: no document; `suggested`: a document or a rule is suggested; `partially_matched`: a part has documents; `matched`: all of it has; `excluded`: it needs none."
})
export type TransactionStatus = typeof TransactionStatus.Type

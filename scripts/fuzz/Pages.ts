import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { type Body, raw } from "./Bodies.ts"
import { strings } from "./hostile/Hostile.ts"

/** An address of a page. The OpenAPI document does not describe pages, so only failures are reported. */
interface Page {
  readonly method: string
  readonly path: string
  readonly body: Arbitrary<Body>
}

const nothing = fc.constant<Body>({ kind: "none" })

const names = ["email", "password", "csrf", "return_to", "answer", "reason", "decision", "organization_id", "x"]
const form: Arbitrary<Body> = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...strings)), { maxLength: 8 })
    .map((fields): Body => ({ kind: "form", fields })),
  raw
)

const shown = ["/", "/login", "/account", "/docs", "/openapi.json", "/metrics", "/health/live", "/health/ready"]
const tokened = ["/d/{token}", "/d/{token}/pdf", "/d/{token}/attachments/{id}", "/invitations/{token}"]
const posted = ["/login", "/logout", "/oauth/consent", "/d/{token}", "/invitations/{token}", "/rpc/admin", "/nowhere"]

export const elsewhere: ReadonlyArray<Page> = [
  ...[...shown, ...tokened, "/oauth/consent", "/nowhere", "/api/v1/nowhere"].map((path) => ({
    method: "GET",
    path,
    body: nothing
  })),
  ...posted.map((path) => ({ method: "POST", path, body: form }))
]

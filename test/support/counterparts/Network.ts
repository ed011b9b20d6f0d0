import { Effect } from "effect"
import { EinvoicingServices } from "../../../src/einvoicing/EinvoicingLayer.ts"
import { Approvals } from "../../../src/einvoicing/registrations/Approvals.ts"
import { OrganizationId, RegistrationId } from "../../../src/kernel/Ids.ts"
import type { Answer, App, Call } from "../App.ts"
import type { SeedOptions } from "../database/Seed.ts"

/** GLNs that choose the sandbox's outcome; see `einvoicing/sandbox/dialects/Outcome.ts`. */
export const magic = {
  accepted: "9520000000011",
  paid: "9520000000028",
  rejected: "9520000000035",
  under_query: "9520000000042",
  conditionally_accepted: "9520000000059",
  silent: "9520000000066",
  undeliverable: "9520000000073",
  refused: "9520000000080",
  unavailable: "9520000000097",
  unavailable_at_first: "9520000000103",
  update_refused: "9520000000110",
  update_unavailable: "9520000000127"
}

let numbers = 0

/** Returns a Belgian enterprise number that no other test has: eight digits and two check digits modulo 97. */
export const enterpriseNumber = (): string => {
  const stem = String(10_000_000 + ++numbers)
  return `${stem.padStart(8, "0")}${String(97 - (Number(stem) % 97)).padStart(2, "0")}`
}

export const registrationBody = (organization_id: number, changes: object = {}) => ({
  organization_id,
  legal_name: "Acme BV",
  country_code: "BE",
  city: "Gent",
  postal_code: "9000",
  address_line1: "Kerkstraat 1",
  identifier_scheme: "0208",
  identifier_value: "0202239951",
  ...changes
})

export const participant = async (app: App, options: SeedOptions = {}) => {
  const { id, owner } = await app.organization(options)
  const call = (method: string, path: string, body?: unknown, further: Call = {}): Promise<Answer> =>
    app.call(method, `/api/v1${path}`, { token: owner.token, organization: id, body, ...further })
  const register = (changes: object = {}) => call("POST", "/einvoicing/register", registrationBody(id, changes))
  const registration = () => call("GET", "/einvoicing/registration")
  const change = (changes: object) => call("PATCH", "/einvoicing/registration", { organization_id: id, ...changes })
  const approve = (registration_id: number) => app.run(approved(id, registration_id))
  /** Registers the organization and approves it. */
  const enrolled = async (changes: object = {}) => {
    const { body } = await register({ identifier_value: enterpriseNumber(), ...changes })
    await approve(body.data.id)
    return (await registration()).body.data
  }
  return { id, owner, call, register, registration, change, approve, enrolled }
}

export const approved = (organization_id: number, id: number) =>
  Effect.flatMap(Approvals, (approvals) =>
    approvals.approve({ organization_id: OrganizationId.make(organization_id), id: RegistrationId.make(id) }, "admin")
  ).pipe(Effect.provide(EinvoicingServices))

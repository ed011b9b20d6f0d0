import { Effect } from "effect"
import { IntegrityQueue } from "../../src/archive/integrity/IntegrityQueue.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { enterpriseNumber, registrationBody } from "../../test/support/counterparts/Network.ts"
import type { Client } from "./Client.ts"
import type { World } from "./World.ts"

const iban = "BE68539007547034"

export interface Connections {
  readonly organization_id: number
  readonly bank_account_id: number
}

/** Creates a bank account and registers the organization on a network. This needs commands of the administration. */
export const connect = async (world: World, client: Client, organization_id: number): Promise<Connections> => {
  await client.put(`/organizations/${organization_id}`, {
    tax_number: "BE0202239951",
    address_line1: "Kerkstraat 1",
    city: "Gent",
    postal_code: "9000"
  })
  const draft = registrationBody(organization_id, { identifier_value: enterpriseNumber() })
  const registration = await client.post("/einvoicing/register", draft)
  const of = ["--organization", String(organization_id)]
  const account = ["--name", "Current", "--iban", iban, "--currency", "EUR"]
  const [opened] = await Promise.all([
    world.administer("bank-account", "create", ...of, ...account),
    world.administer("registration", "approve", ...of, "--registration", String(registration.id))
  ])
  return { organization_id, bank_account_id: opened.id }
}

/** Enqueues a proof (a full check) of the organization's archive now, instead of waiting for the scheduled one. */
export const orderProof = (organization_id: number) =>
  Jobs.use(({ offer }) =>
    offer(
      IntegrityQueue,
      { organization_id: OrganizationId.make(organization_id) },
      { id: `faults-${organization_id}` }
    )
  ).pipe(Effect.provide(Jobs.layer))

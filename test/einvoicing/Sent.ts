import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ProviderCode } from "../../src/einvoicing/providers/Network.ts"
import {
  type ParticipantIdentifier,
  type Provider,
  type Transmission
} from "../../src/einvoicing/providers/Provider.ts"
import { makeSandbox } from "../../src/einvoicing/sandbox/SandboxNetwork.ts"
import type { App } from "../support/App.ts"
import { participant } from "../support/counterparts/Network.ts"
import { sha256 } from "../support/files/Digest.ts"

interface Change extends Partial<Omit<Transmission, "xml">> {
  readonly xml?: string
}

const endpoint = ({ scheme, value }: ParticipantIdentifier) =>
  `<cac:Party><cbc:EndpointID schemeID="${scheme}">${value}</cbc:EndpointID></cac:Party>`

/** Returns an XML document with only the elements that an access point reads. */
export const ubl = (
  number: string,
  sender: ParticipantIdentifier,
  recipient: ParticipantIdentifier,
  root = "Invoice"
) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc">
  <cbc:ID>${number}</cbc:ID>
  <cac:AccountingSupplierParty>${endpoint(sender)}</cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>${endpoint(recipient)}</cac:AccountingCustomerParty>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>
</${root}>`

export const transmission = (
  sender: ParticipantIdentifier,
  recipient: ParticipantIdentifier,
  change: Change = {}
): Transmission => {
  const { xml: text, ...rest } = change
  const number = rest.number ?? "INV-2026-0001"
  const root = rest.document_type === "credit_note" ? "CreditNote" : "Invoice"
  const xml = Buffer.from(text ?? ubl(number, sender, recipient, root))
  return {
    transmission_id: randomUUID(),
    document_type: "invoice",
    number,
    sender,
    recipient,
    xml,
    sha256: sha256(xml),
    ...rest
  }
}

/** Returns the participant identifier of a GLN, such as one in `magic` (test/support/counterparts/Network.ts). */
export const gln = (value: string): ParticipantIdentifier => ({ scheme: "0088", value })

export const network = (app: App) => {
  const through = <A, E>(code: ProviderCode, call: (provider: Provider) => Effect.Effect<A, E>) =>
    app.run(Effect.flatMap(makeSandbox, (sandbox) => call(sandbox[code])))

  const submit = (sent: Transmission, code: ProviderCode = "peppol") =>
    through(code, (provider) => provider.submit(sent))

  const refused = (sent: Transmission, code: ProviderCode = "peppol") =>
    through(code, (provider) => Effect.flip(provider.submit(sent)))

  const refusal = async (sent: Transmission, code: ProviderCode = "peppol") => {
    const error = await refused(sent, code)
    return error._tag === "NetworkRefused" ? error.code : error._tag
  }

  const poll = (sent: Transmission, code: ProviderCode = "peppol") =>
    through(code, (provider) => provider.poll(sent.transmission_id, sent))

  /** The address of a new organization that was registered and approved. */
  const sender = async (changes: object = {}): Promise<ParticipantIdentifier> => {
    const [address] = (await (await participant(app)).enrolled(changes)).identifiers
    return { scheme: address.scheme, value: address.identifier }
  }

  return { submit, refusal, refused, poll, sender }
}

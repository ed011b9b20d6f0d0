import { Effect, Option, Record, Stream } from "effect"
import { fatturaSigning } from "../sdi/FatturaSignature.ts"
import { RecordChain } from "../verifactu/RecordChain.ts"
import { sandbox_system } from "../verifactu/AeatSettings.ts"
import { networks, type ProviderCode } from "../providers/Network.ts"
import type { Provider } from "../providers/Provider.ts"
import {
  italianDialect,
  mexicanDialect,
  polishDialect,
  romanianDialect,
  spanishDialect
} from "./dialects/AuthorityDialects.ts"
import type { Dialect } from "./dialects/Dialect.ts"
import { frenchDialect } from "./dialects/FrenchDialect.ts"
import { makeMembers } from "./SandboxMembers.ts"
import { peppolDialect } from "./dialects/PeppolDialect.ts"
import { makePostbox } from "./Postbox.ts"
import { SimulatorRepo } from "./SimulatorRepo.ts"

const dialects: Readonly<Record<ProviderCode, Dialect>> = {
  peppol: peppolDialect,
  fr_ctc: frenchDialect,
  it_sdi: italianDialect,
  es_verifactu: spanishDialect,
  pl_ksef: polishDialect,
  ro_spv: romanianDialect,
  mx_cfdi: mexicanDialect
}

/**
 * Simulates every network, so that no document leaves this service. The recipient's identifier decides the outcome of a
 * document (Outcome.ts).
 */
export const makeSandbox = Effect.gen(function* () {
  const members = yield* makeMembers
  const postbox = yield* makePostbox
  const chain = yield* RecordChain
  // The simulated tax agency gets the same records as the real one.
  const write: Provider["write"] = (invoice, { organization_id, timezone, transmission_id }) => {
    const key = { organization_id, environment: "sandbox" } as const
    return chain.register(invoice, { chain: key, system: sandbox_system, timezone, transmission_id, state: "kept" })
  }
  // The organization signs documents to public offices, as for the real Sistema di Interscambio.
  const signing = fatturaSigning({ own: () => Option.none(), trusted: [] })
  return Record.map(dialects, (dialect, code): Provider => {
    const network = networks[code]
    return {
      name: `Sandbox of ${network.name}`,
      environment: "sandbox",
      check: Effect.void,
      ...(network.supports_lookup ? { lookup: (identifier) => members.lookup(network, identifier) } : {}),
      enroll: (enrollment) => members.enroll(network, enrollment),
      update: (enrollment) => members.update(network, enrollment),
      withdraw: (organization_id) => members.withdraw(network, organization_id),
      ...(code === "es_verifactu" ? { write } : {}),
      ...(code === "it_sdi" ? { signing } : {}),
      submit: (transmission) => postbox.submit(network, dialect, transmission),
      poll: postbox.poll,
      arrivals: Stream.unwrap(Effect.map(postbox.arrivals(network), (found) => Stream.fromIterable(found))),
      confirm: postbox.confirm,
      respond: (response) => postbox.respond(dialect, response)
    }
  })
}).pipe(Effect.provide([SimulatorRepo.layer, RecordChain.layer]))

import { Effect, Option } from "effect"
import { easCode, identifierScheme } from "../../customers/identifiers/NetworkIdentifier.ts"
import { today, TimeZone } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Database } from "../../platform/sql/Database.ts"
import { france } from "../countries/France.ts"
import { DocumentType, type NetworkDefinition } from "../providers/Network.ts"
import {
  type Enrollment,
  NetworkRefused,
  NetworkUnavailable,
  type Participant,
  type ParticipantIdentifier
} from "../providers/Provider.ts"
import { isMagic, type Outcome, outcomeOf } from "./dialects/Outcome.ts"
import { type Entity, SimulatorRepo } from "./SimulatorRepo.ts"

const down = new NetworkUnavailable({ message: "The network does not answer." })
const unwilling = new NetworkRefused({ code: "refused", message: "The network refuses this entity." })
const taken = new NetworkRefused({
  code: "identifier_taken",
  message: "The address belongs to another participant of the network."
})

const utc = TimeZone.make("UTC")

export const makeMembers = Effect.gen(function* () {
  const repo = yield* SimulatorRepo
  const { apart, transaction } = yield* Database

  /** Enrolls an entity with all of its addresses, or not at all. */
  const keep = Effect.fnUntraced(function* (network: NetworkDefinition, enrollment: Enrollment) {
    const account = enrollment.organization_id
    yield* repo.saveEntity({
      account,
      provider: network.code,
      legal_name: enrollment.legal_name,
      country_code: enrollment.country_code,
      ...enrollment.roles,
      document_types: enrollment.document_types,
      routable_from: enrollment.routable_from
    })
    yield* repo.dropAddresses(account)
    for (const identifier of enrollment.identifiers) {
      const added = yield* repo.addAddress({ account, ...stored(identifier) })
      if (Option.isNone(added)) return yield* taken
    }
  }, transaction)

  /** Saves in its own transaction, because a real network keeps an enrollment even if our change is rolled back. */
  const save = (network: NetworkDefinition, enrollment: Enrollment, bad: Partial<Record<Outcome, Refusal>>) =>
    Effect.gen(function* () {
      const refusals = enrollment.identifiers.flatMap((identifier) => bad[outcomeOf(identifier)] ?? [])
      if (refusals[0] !== undefined) return yield* refusals[0]
      yield* keep(network, enrollment)
    }).pipe(apart)

  const find = Effect.fnUntraced(function* (identifier: ParticipantIdentifier) {
    const known = yield* repo.findEntity(stored(identifier))
    return Option.isSome(known) ? known : exampleOf(spelled(identifier))
  })

  return {
    enroll: Effect.fn("Members.enroll")((network: NetworkDefinition, enrollment: Enrollment) =>
      save(network, enrollment, { refused: unwilling, unavailable: down })
    ),
    update: Effect.fn("Members.update")((network: NetworkDefinition, enrollment: Enrollment) =>
      save(network, enrollment, { update_refused: unwilling, update_unavailable: down })
    ),
    withdraw: Effect.fn("Members.withdraw")((network: NetworkDefinition, account: number) =>
      apart(repo.dropEntity({ account, provider: network.code }))
    ),
    find,
    /** Finds the participant that can receive at this address today. */
    lookup: Effect.fn("Members.lookup")(function* (network: NetworkDefinition, identifier: ParticipantIdentifier) {
      if (outcomeOf(identifier) === "unavailable") return yield* down
      const day = yield* today(utc)
      return Option.filter(
        yield* find(identifier),
        (entity) => (entity.provider === network.code || entity.account === example_account) && receives(entity, day)
      ).pipe(Option.map((entity) => participant(entity, identifier)))
    }, apart)
  }
})

type Refusal = NetworkRefused | NetworkUnavailable

const spelled = ({ scheme, value }: ParticipantIdentifier): ParticipantIdentifier => ({
  scheme: easCode(scheme),
  value: value.toUpperCase()
})

/** The French directory finds an entity by its SIREN and SIRET, too. */
const stored = (identifier: ParticipantIdentifier): ParticipantIdentifier => france.routed(spelled(identifier))

export const receives = ({ acts_as_receiver, routable_from }: Entity, day: string): boolean =>
  acts_as_receiver && (routable_from === null || routable_from <= day)

const participant = (entity: Entity, { scheme, value }: ParticipantIdentifier): Participant => ({
  scheme,
  value,
  name: entity.legal_name,
  country_code: entity.country_code,
  document_types: entity.document_types
})

/** The account number of the example participants. No organization has this id. */
export const example_account = 0

/** Makes participants that need no registration: the example of each scheme, and the test identifiers (Outcome.ts). */
const exampleOf = ({ scheme, value }: ParticipantIdentifier): Option.Option<Entity> =>
  Option.filter(identifierScheme(scheme), ({ example }) => example === value || isMagic({ scheme, value })).pipe(
    Option.map(({ country }) => ({
      account: example_account,
      provider: "peppol",
      legal_name: "Sandbox participant",
      country_code: country ?? CountryCode.make("BE"),
      acts_as_sender: false,
      acts_as_receiver: true,
      document_types: DocumentType.literals,
      routable_from: null
    }))
  )

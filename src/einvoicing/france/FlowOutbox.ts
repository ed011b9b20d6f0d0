import { Effect, Option } from "effect"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import {
  type Acceptance,
  type Answer,
  type NetworkMessage,
  NetworkRefused,
  type NetworkUnavailable,
  type Provider,
  type Transmission
} from "../providers/Provider.ts"
import type { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import type { Annuaire } from "./Annuaire.ts"
import type { FlowService } from "./Flows.ts"
import { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { acknowledgement, flowVerdict } from "./FlowVerdicts.ts"
import { progressOf } from "./lifecycle/LifecycleReader.ts"
import { directory_scheme } from "../countries/FrenchCodes.ts"

interface Services {
  readonly flows: FlowService
  readonly annuaire: Annuaire
  readonly once: SubmissionsOnce["Service"]
  readonly collect: Effect.Effect<void, NetworkUnavailable>
}

export const makeFlowOutbox = Effect.map(
  IncomingFlowsRepo,
  (repo) =>
    (
      { annuaire, collect, flows, once }: Services,
      organization_id: OrganizationId
    ): Pick<Provider, "submit" | "poll"> => {
      /** A French recipient must be in the directory; a foreign one is reached over another network (B2BInt). */
      const ruleOf = Effect.fnUntraced(function* ({ recipient }: Transmission) {
        if (easCode(recipient.scheme) !== directory_scheme) return "B2BInt" as const
        const line = yield* annuaire.find(recipient)
        if (Option.isSome(line)) return line.value.isPublic ? ("B2G" as const) : ("B2B" as const)
        const is_until_later = yield* annuaire.isExpected(recipient)
        const message = is_until_later
          ? `The line ${recipient.value} of the French directory is not in force yet.`
          : `The French directory has no active line ${recipient.value}.`
        return yield* new NetworkRefused({ code: "recipient_unknown", message, is_until_later })
      })

      const submit = Effect.fn("FlowOutbox.submit")(function* (transmission: Transmission) {
        const { number, transmission_id, xml } = transmission
        const isExtended = new TextDecoder().decode(xml).includes(extended_profile)
        const profile = isExtended ? "Extended-CTC-FR" : "CIUS"
        const flow = { tracking_id: transmission_id, name: number, syntax: "UBL", profile, xml } as const
        return yield* flows.submit(flow, ruleOf(transmission))
      }) satisfies (transmission: Transmission) => Answer<Acceptance>

      const poll = Effect.fn("FlowOutbox.poll")(function* (
        transmission_id: string,
        document: Pick<Transmission, "number" | "document_type">
      ) {
        const reference = yield* once.reference({ organization_id, transmission_id })
        if (Option.isNone(reference)) return []
        const { bytes, value: flow } = yield* flowVerdict(flows, reference.value, transmission_id)
        yield* collect
        const since = timestampOf(flow.submittedAt)
        const told = yield* repo.statuses({ organization_id, ...document, since })
        return [
          ...acknowledgement(flow, bytes),
          ...told.map(({ code, content, flow_id, position, reason, source, submitted_at }): NetworkMessage => ({
            id: `${flow_id}:${position}`,
            at: submitted_at,
            code,
            source,
            progress: progressOf(code),
            reason,
            receipt: { type: "lifecycle_status", content_type: "application/xml", bytes: content }
          }))
        ]
      })

      return { submit, poll }
    }
)

const extended_profile = "extended-ctc-fr"

import { DateTime, Effect, Option } from "effect"
import { xmlTree } from "../../platform/documents/XmlTree.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { sha256Uuid } from "../../platform/crypto/Digest.ts"
import { xmlText } from "../../platform/documents/XmlBytes.ts"
import {
  NetworkRefused,
  type Provider,
  type ReceivedPayment,
  type Response,
  type SentMessage
} from "../providers/Provider.ts"
import type { FlowService } from "./Flows.ts"
import { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { lifecycleMessage } from "./lifecycle/LifecycleMessage.ts"
import { paidAmounts } from "./lifecycle/PaidAmounts.ts"
import { receivedParties } from "../received/reading/PartiesReader.ts"

/** Sends the life cycle messages that inform suppliers and customers about the status of a document. */
export const makeAnswers = Effect.map(
  IncomingFlowsRepo,
  (repo) =>
    (
      flows: FlowService,
      organization_id: OrganizationId,
      isDueOnInvoice: boolean
    ): Pick<Provider, "takeInCharge" | "confirm" | "respond" | "tellPayment" | "reportPayment"> => {
      /**
       * Sends a message once. If an earlier attempt has sent it, returns the message of that attempt. Fails if the
       * platform has already refused the message; this function does not wait for the platform's check.
       */
      const send = Effect.fnUntraced(function* (name: string, told: Parameters<typeof lifecycleMessage>[0]) {
        const xml = new TextEncoder().encode(lifecycleMessage(told))
        const tracking_id = sha256Uuid(`${name}:${told.code}`)
        const flow_name = `${told.document.number}_${told.code}`
        const flow = { tracking_id, name: flow_name, syntax: "CDAR", profile: "Undefined", xml } as const
        const { at, reference } = yield* flows.submit(flow, Effect.succeed("NotApplicable"))
        const { acknowledgement } = (yield* flows.metadata(reference)).value
        if (acknowledgement.status !== "Error") {
          const bytes = Option.getOrElse(yield* flows.sentContent(tracking_id), () => xml)
          const type = told.paid === undefined ? "lifecycle_status" : "payment_status"
          const receipt = { type, content_type: "application/xml", bytes }
          return { at, code: told.code, reference, receipt } satisfies SentMessage
        }
        const reasons = (acknowledgement.details ?? []).map(({ reasonMessage }) => reasonMessage)
        return yield* new NetworkRefused({ code: "refused", message: reasons.join(" ") || "The platform refuses it." })
      })

      const report = Effect.fnUntraced(function* (
        flow_id: string,
        told: Pick<Parameters<typeof lifecycleMessage>[0], "code" | "reason" | "paid">
      ) {
        const known = yield* repo.parties({ organization_id, flow_id })
        if (Option.isNone(known)) return yield* unanswerable
        const { document } = known.value
        return Option.some(yield* send(flow_id, { ...told, document, issuer: "buyer", at: yield* DateTime.now }))
      })

      const reportPayment = Effect.fn("Answers.reportPayment")(function* (payment: ReceivedPayment) {
        const root = Option.getOrUndefined(xmlTree(xmlText(payment.invoice)))
        const document = root === undefined ? Option.none() : receivedParties(root)
        const paid = root === undefined ? [] : paidAmounts(root, payment)
        if (Option.isNone(document) || paid.length === 0) return Option.none()
        const at = DateTime.toUtc(DateTime.makeUnsafe(payment.at))
        const told = { code: "212", document: document.value, issuer: "seller", at, paid, isDueOnInvoice } as const
        return Option.some(yield* send(payment.id, told))
      })

      return {
        takeInCharge: Effect.fn("Answers.takeInCharge")(function* ({ parties, transmission_id: flow_id }) {
          // Every message to the supplier must state the parties.
          if (parties !== null) yield* repo.saveParties({ organization_id, flow_id }, parties)
          return yield* report(flow_id, { code: "204" })
        }),
        confirm: Effect.fn("Answers.confirm")(({ transmission_id: flow_id }) =>
          repo.take({ organization_id, flow_id })
        ),
        respond: Effect.fn("Answers.respond")(({ answer, reason, transmission_id }: Response) =>
          answer === "accepted"
            ? report(transmission_id, { code: "205" })
            : report(transmission_id, { code: "210", reason: refusalOf(reason ?? "") })
        ),
        tellPayment: Effect.fn("Answers.tellPayment")(({ amount, currency, transmission_id }) => {
          const paid = [{ amount: formatAmount(amount, exponentOf(currency)), currency, rate: null, received_on: null }]
          return report(transmission_id, { code: "211", paid })
        }),
        reportPayment
      }
    }
)

const unanswerable = new NetworkRefused({
  code: "refused",
  message: "The document names no registration of its seller, so no answer can reach the seller."
})

/** The reasons for which a buyer may refuse a document (BR-FR-CDV-CL-09). */
const refusal_codes = new Set(
  (
    "TX_TVA_ERR MONTANTTOTAL_ERR CALCUL_ERR NON_CONFORME DOUBLON DEST_ERR TRANSAC_INC EMMET_INC CONTRAT_TERM " +
    "DOUBLE_FACT CMD_ERR ADR_ERR REF_CT_ABSENT"
  ).split(" ")
)

/** A reason without a code of the French list gets the code for a document that does not conform. */
const refusalOf = (reason: string) => {
  const [, code = "", text = ""] = /^([A-Z_]+)\b[\s:,-]*(.*)$/s.exec(reason) ?? []
  if (refusal_codes.has(code)) return { code, text: text === "" ? code : text }
  return { code: "NON_CONFORME", text: reason }
}

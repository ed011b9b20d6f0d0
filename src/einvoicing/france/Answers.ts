import { DateTime, Duration, Effect, Option } from "effect"
import { textAt, xmlTree } from "../../platform/documents/XmlTree.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { isDay } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { sha256Uuid } from "../../platform/crypto/Digest.ts"
import { xmlText } from "../../platform/documents/XmlBytes.ts"
import { isDueOnInvoice, type VatOnDebits } from "../invoice/ReportingTerms.ts"
import {
  NetworkRefused,
  type Provider,
  type ReceivedPayment,
  type Response,
  type SentMessage
} from "../providers/Provider.ts"
import type { FlowService } from "./Flows.ts"
import { flowVerdict, isRefused } from "./FlowVerdicts.ts"
import { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { lifecycleMessage } from "./lifecycle/LifecycleMessage.ts"
import { paidAmounts } from "./lifecycle/PaidAmounts.ts"
import { receivedParties } from "../received/reading/PartiesReader.ts"

type Told = Parameters<typeof lifecycleMessage>[0]

/** Maximum number of attempts to send a message that the platform refuses: about as many as a document has polls. */
const attempts_max = 100

/** Sends the life cycle messages that inform suppliers and customers about the status of a document. */
export const makeAnswers = Effect.map(
  IncomingFlowsRepo,
  (repo) =>
    (
      flows: FlowService,
      organization_id: OrganizationId,
      vat_on_debits: VatOnDebits
    ): Pick<Provider, "takeInCharge" | "confirm" | "respond" | "tellPayment" | "reportPayment"> => {
      /** Submits a message under a tracking id once. Returns the message that was sent, and the platform's verdict. */
      const submitted = Effect.fnUntraced(function* (tracking_id: string, told: Told) {
        const { code, document, paid } = told
        const xml = new TextEncoder().encode(lifecycleMessage(told))
        const name = `${document.number}_${code}`
        const flow = { tracking_id, name, syntax: "CDAR", profile: "Undefined", xml } as const
        const { at, reference } = yield* flows.submit(flow, Effect.succeed("NotApplicable"))
        const verdict = (yield* flowVerdict(flows, reference, tracking_id)).value
        const bytes = Option.getOrElse(yield* flows.sentContent(tracking_id), () => xml)
        const type = paid === undefined ? "lifecycle_status" : "payment_status"
        const message: SentMessage = { at, code, reference, receipt: { type, content_type: "application/xml", bytes } }
        return { message, verdict }
      })

      /**
       * Sends a message once, and again only after the platform has refused it. If an earlier call has sent it, returns
       * the message of that call. Does not wait for the platform's check.
       */
      const send = Effect.fnUntraced(function* (name: string, told: Told) {
        const first = `${name}:${told.code}`
        const idOf = (attempt: number) => sha256Uuid(attempt === 0 ? first : `${first}:${attempt}`)
        let attempt = 0
        while (attempt + 1 < attempts_max && (yield* flows.isAttempted(idOf(attempt + 1)))) attempt++
        // A platform refuses a file that it already has, so each attempt states another second.
        const make = () =>
          submitted(idOf(attempt), { ...told, at: DateTime.addDuration(told.at, Duration.seconds(attempt)) })
        const isEarlier = yield* flows.isAttempted(idOf(attempt))
        let sent = yield* make()
        if (isEarlier && isRefused(sent.verdict) && attempt + 1 < attempts_max) {
          attempt++
          sent = yield* make()
        }
        if (!isRefused(sent.verdict)) return sent
        const reasons = (sent.verdict.acknowledgement.details ?? []).map(({ reasonMessage }) => reasonMessage)
        return yield* new NetworkRefused({ code: "refused", message: reasons.join(" ") || "The platform refuses it." })
      })

      const report = Effect.fnUntraced(function* (flow_id: string, told: Pick<Told, "code" | "reason" | "paid">) {
        const known = yield* repo.parties({ organization_id, flow_id })
        if (Option.isNone(known)) return yield* unanswerable
        const { document } = known.value
        const { message } = yield* send(flow_id, { ...told, document, issuer: "buyer", at: yield* DateTime.now })
        return Option.some(message)
      })

      const reportPayment = Effect.fn("Answers.reportPayment")(function* (payment: ReceivedPayment) {
        const root = Option.getOrUndefined(xmlTree(xmlText(payment.invoice)))
        const document = root === undefined ? Option.none() : receivedParties(root)
        const paid = root === undefined ? [] : paidAmounts(root, payment)
        const issued_on = textAt(root, "IssueDate") ?? ""
        if (Option.isNone(document) || paid.length === 0 || !isDay(issued_on)) return Option.none()
        const at = DateTime.toUtc(DateTime.makeUnsafe(payment.at))
        const isDue = isDueOnInvoice(vat_on_debits, issued_on)
        const told = {
          code: "212",
          document: document.value,
          issuer: "seller",
          at,
          paid,
          isDueOnInvoice: isDue
        } as const
        const { message, verdict } = yield* send(payment.id, told)
        return Option.some({ ...message, isChecked: verdict.acknowledgement.status !== "Pending" })
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

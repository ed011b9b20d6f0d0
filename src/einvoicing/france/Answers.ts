import { DateTime, Effect, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { type Answer, NetworkRefused, type Provider, type Response } from "../providers/Provider.ts"
import type { FlowService } from "./Flows.ts"
import { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"
import { lifecycleMessage } from "./lifecycle/LifecycleMessage.ts"

/** Tells suppliers by life cycle messages what becomes of their documents. */
export const makeAnswers = Effect.map(
  IncomingFlowsRepo,
  (repo) =>
    (flows: FlowService, organization_id: OrganizationId): Pick<Provider, "confirm" | "respond"> => {
      const report = Effect.fnUntraced(function* (
        flow_id: string,
        told: Pick<Parameters<typeof lifecycleMessage>[0], "code" | "reason">
      ) {
        const known = yield* repo.parties({ organization_id, flow_id })
        if (Option.isNone(known)) return yield* unanswerable
        const { document } = known.value
        const xml = lifecycleMessage({ ...told, document, issuer: "buyer", at: yield* DateTime.now })
        const { reference } = yield* flows.submit({
          tracking_id: uuidOf(`${flow_id}:${told.code}`),
          name: `${document.number}_${told.code}`,
          syntax: "CDAR",
          profile: "Undefined",
          processing_rule: "NotApplicable",
          xml: new TextEncoder().encode(xml)
        })
        const { acknowledgement } = (yield* flows.metadata(reference)).value
        if (acknowledgement.status !== "Error") return
        const reasons = (acknowledgement.details ?? []).map(({ reasonMessage }) => reasonMessage)
        return yield* new NetworkRefused({ code: "refused", message: reasons.join(" ") || "The platform refuses it." })
      }) satisfies (flow_id: string, told: { readonly code: "204" | "205" | "210" }) => Answer<void>

      return {
        /** A stored document is taken in charge (204). The supplier need not know that, so a refusal is only logged. */
        confirm: Effect.fn("Answers.confirm")(function* ({ transmission_id: flow_id }) {
          yield* report(flow_id, { code: "204" }).pipe(
            Effect.catchTag("NetworkRefused", ({ message }) =>
              Effect.logWarning(`the flow ${flow_id} cannot be taken in charge: ${message}`)
            )
          )
          yield* repo.take({ organization_id, flow_id })
        }),
        respond: Effect.fn("Answers.respond")(({ answer, reason, transmission_id }: Response) =>
          answer === "accepted"
            ? report(transmission_id, { code: "205" })
            : report(transmission_id, { code: "210", reason: refusalOf(reason ?? "") })
        )
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

/** A reason may begin with a code of the French list; any other one is a document that does not conform. */
const refusalOf = (reason: string) => {
  const [, code = "", text = ""] = /^([A-Z_]+)\b[\s:,-]*(.*)$/s.exec(reason) ?? []
  if (refusal_codes.has(code)) return { code, text: text === "" ? code : text }
  return { code: "NON_CONFORME", text: reason }
}

/** A UUID (version 8) that is the same for the same message, so that a repeated answer is no second one. */
const uuidOf = (name: string): string => {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256Hex(name)) ?? []
  return `${a}-${b}-8${c}-8${d}-${e}`
}

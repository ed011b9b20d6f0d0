import { Effect, Option } from "effect"
import { timestampOf } from "../../kernel/Calendar.ts"
import type { NetworkMessage } from "../providers/Provider.ts"
import { json_type } from "../providers/RestAnswer.ts"
import { shortStatus } from "../received/reading/StatedStatus.ts"
import type { FlowService } from "./Flows.ts"
import type { Flow } from "./PlatformApi.ts"

/** A platform refuses a file that it already has; the verdict on the earlier upload then counts. */
export const flowVerdict = Effect.fnUntraced(function* (flows: FlowService, flow_id: string, tracking_id: string) {
  const own = yield* flows.metadata(flow_id)
  if (!isDuplicate(own.value)) return own
  const earlier = yield* flows.tracked(tracking_id)
  if (Option.isNone(earlier) || earlier.value.flowId === flow_id) return own
  return yield* flows.metadata(earlier.value.flowId)
})

const errorsOf = ({ acknowledgement: { details } }: Flow) => (details ?? []).filter(({ level }) => level === "Error")

/** True if the platform refused a file for another reason than that it already has the file. */
export const isRefused = (flow: Flow): boolean => flow.acknowledgement.status === "Error" && !isDuplicate(flow)

const isDuplicate = (flow: Flow) =>
  flow.acknowledgement.status === "Error" &&
  errorsOf(flow).length > 0 &&
  errorsOf(flow).every(({ reasonCode }) => reasonCode === "AlreadyExistingFlow")

/** The platform's technical verdict; none while it is pending. */
export const acknowledgement = (flow: Flow, bytes: Uint8Array): ReadonlyArray<NetworkMessage> => {
  const { status } = flow.acknowledgement
  if (status === "Pending") return []
  const errors = errorsOf(flow)
  const reasons = errors.map(({ reasonCode, reasonMessage }) => `${reasonCode}: ${reasonMessage}`)
  const { code, reason } = shortStatus(errors[0]?.reasonCode ?? "Error", reasons)
  return [
    {
      id: `${flow.flowId}:${status}`,
      at: timestampOf(flow.updatedAt),
      code: status === "Ok" ? "Ok" : code,
      source: "network",
      progress: status === "Ok" ? "submitted" : "failed",
      reason: status === "Ok" ? null : (reason ?? "The platform refused the file without a reason."),
      receipt: { type: "flow_acknowledgement", content_type: json_type, bytes }
    }
  ]
}

import { Schema } from "effect"
import { OperationId, OrganizationId } from "../kernel/Ids.ts"
import { backOff, job } from "../platform/jobs/Jobs.ts"
import type { OperationKind } from "./Operation.ts"

export const OperationKey = Schema.Struct({ organization_id: OrganizationId, id: OperationId })
export type OperationKey = typeof OperationKey.Type

/** Each kind of operation has its own queue, so that mail for slow mail servers does not delay the other kinds. */
const queueOf = (kind: OperationKind) =>
  job({
    name: `operations.${kind}`,
    payload: OperationKey,
    attempts_max: 5,
    back_off: backOff("5 seconds", "1 minute"),
    concurrency: 4,
    // A batch starts to send its last mail within 5 minutes, and sending one mail takes at most 2 minutes.
    time_limit: "10 minutes"
  })

export const operationQueues = {
  batch_create: queueOf("batch_create"),
  batch_send: queueOf("batch_send"),
  statement_import: queueOf("statement_import")
} satisfies Record<OperationKind, unknown>

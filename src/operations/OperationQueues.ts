import { type Duration, Schema } from "effect"
import { OperationId, OrganizationId } from "../kernel/Ids.ts"
import { backOff, job } from "../platform/jobs/Jobs.ts"
import type { OperationKind } from "./Operation.ts"

export const OperationKey = Schema.Struct({ organization_id: OrganizationId, id: OperationId })
export type OperationKey = typeof OperationKey.Type

/** Each kind of operation has its own queue, so that mail for slow mail servers does not delay the other kinds. */
const queueOf = (kind: OperationKind, time_limit: Duration.Input) =>
  job({
    name: `operations.${kind}`,
    payload: OperationKey,
    attempts_max: 5,
    back_off: backOff("5 seconds", "1 minute"),
    concurrency: 4,
    time_limit
  })

export const operationQueues = {
  batch_create: queueOf("batch_create", "10 minutes"),
  // A batch starts its last mail within an hour, and sending one mail takes at most 2 minutes.
  batch_send: queueOf("batch_send", "70 minutes"),
  statement_import: queueOf("statement_import", "10 minutes")
} satisfies Record<OperationKind, unknown>

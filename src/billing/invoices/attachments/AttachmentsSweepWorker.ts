import { Effect } from "effect"
import { timed } from "../../../platform/jobs/Timed.ts"
import { sweepAttachments } from "./AttachmentsSweep.ts"

export const AttachmentsSweepWorker = timed({
  name: "attachments.sweep",
  every: "10 minutes",
  run: Effect.suspend(sweepAttachments)
})

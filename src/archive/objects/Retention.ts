import { Duration, Effect } from "effect"
import { timestampAfter } from "../../kernel/Calendar.ts"
import type { BlobStore } from "../../platform/storage/BlobStore.ts"

/** Computes until when the storage refuses to delete an object that is stored now; null without Object Lock. */
export const retainedUntil = Effect.fnUntraced(function* ({ locks }: BlobStore["Service"], days: number) {
  if (!(yield* locks)) return null
  return yield* timestampAfter(Duration.days(days))
})

import { DateTime, Effect } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import type { BlobStore } from "../../platform/storage/BlobStore.ts"

/** Until when the storage keeps what it is given now, whoever wants it gone; null where it enforces nothing. */
export const retainedUntil = Effect.fnUntraced(function* ({ locks }: BlobStore["Service"], days: number) {
  if (!(yield* locks)) return null
  return Timestamp.make(DateTime.formatIso(DateTime.add(yield* DateTime.now, { days })))
})

import { Context, Effect, Layer } from "effect"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { StorageQuotaExceeded } from "./StorageErrors.ts"
import { StorageQuotaRepo } from "./StorageQuotaRepo.ts"

/** The setting `stored_bytes_quota`, which all receipts and attachments of an organization share. */
export class StorageQuota extends Context.Service<
  StorageQuota,
  {
    /**
     * Locks the organization's storage until the transaction ends, so that only one of two concurrent uploads gets the
     * last bytes. Must run before `requireRoom`, in the transaction that reserves the space.
     */
    readonly lock: Effect.Effect<void, never, CurrentOrganization>
    /** Refuses a file that does not fit in addition to the stored ones. */
    readonly requireRoom: (file_bytes: number) => Effect.Effect<void, StorageQuotaExceeded, CurrentOrganization>
  }
>()("invoicing/organizations/storage/StorageQuota") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StorageQuotaRepo

      const lock = Effect.flatMap(CurrentOrganization, ({ id }) => repo.lock(id))

      const requireRoom = Effect.fn("StorageQuota.requireRoom")(function* (file_bytes: number) {
        const { id, settings } = yield* CurrentOrganization
        const { stored_bytes } = yield* repo.measure(id)
        const quota_bytes = settings.stored_bytes_quota
        if (stored_bytes + file_bytes <= quota_bytes) return
        return yield* StorageQuotaExceeded.of({ quota_bytes, stored_bytes, file_bytes })
      })

      return StorageQuota.of({ lock, requireRoom })
    })
  ).pipe(Layer.provide(StorageQuotaRepo.layer))
}

import { Context, DateTime, Effect, Layer, Option } from "effect"
import { now, type Timestamp, timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { contentTypeOf } from "../objects/ArchiveObject.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import type { ArchivedDocument, AttachedFile, Deposit, DepositKey } from "./Deposit.ts"
import { beginning, DepositsRepo, type OverdueDeposit } from "./DepositsRepo.ts"

type DepositDraft = Omit<Deposit, "organization_id" | "ordered_at">

/** Age in hours from which a deposit is overdue. All attempts of the archiving job end earlier. */
const overdue_hours = 2
/** Maximum number of overdue deposits that one call returns. */
export const overdue_max = 1_000

/**
 * The transaction that issues a document inserts its deposit, and a job makes and stores the file later, so no document
 * is forgotten, and documents can be issued during an outage of the storage.
 */
export class Deposits extends Context.Service<
  Deposits,
  {
    readonly isOpen: Effect.Effect<boolean, never, CurrentOrganization>
    /** Inserts a deposit. Must run in the transaction that issues the document. Returns the time of the deposit. */
    readonly insert: (draft: DepositDraft) => Effect.Effect<Timestamp, never, CurrentOrganization>
    /** Prevents archiving until the transaction ends. False if the document is archived under this number already. */
    readonly hold: (
      document: ArchivedDocument & Pick<Deposit, "number">
    ) => Effect.Effect<boolean, never, CurrentOrganization>
    /** Must run in the transaction that makes the document a draft again. */
    readonly withdraw: (document: ArchivedDocument) => Effect.Effect<void, never, CurrentOrganization>
    /** Finds the deposit of a document; none if it was archived or withdrawn. */
    readonly find: (key: DepositKey) => Effect.Effect<Option.Option<Deposit>>
    /**
     * Stores the PDF that was made of a deposit, records it in the archive and removes the deposit. Records nothing if
     * the deposit was withdrawn meanwhile. If the document was then issued again, its new deposit has its own job.
     */
    readonly fulfil: (deposit: Deposit, file: LocalFile) => Effect.Effect<void, StorageUnavailable>
    /**
     * Archives each attached file once, under the number and the other facts of the document. Does nothing until the
     * document's PDF is archived.
     */
    readonly attach: <E>(
      key: DepositKey,
      files: ReadonlyArray<AttachedFile<E>>
    ) => Effect.Effect<void, E | StorageUnavailable>
    /** Excludes a deposit from `overdue`, because its file cannot be made. */
    readonly setAside: (key: DepositKey) => Effect.Effect<void>
    /**
     * Finds deposits that are still not archived although their job must have used all its attempts, the oldest first,
     * beginning after a deposit that an earlier call returned.
     */
    readonly overdue: (after?: OverdueDeposit) => Effect.Effect<ReadonlyArray<OverdueDeposit>>
  }
>()("invoicing/archive/deposits/Deposits") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DepositsRepo
      const objects = yield* ObjectsRepo
      const vault = yield* Vault
      const { transaction } = yield* Database
      const { plans } = (yield* AppConfig).archive

      const isOpen = Effect.map(CurrentOrganization, ({ plan }) => plans.includes(plan))

      const insert = Effect.fn("Deposits.insert")(function* (draft: DepositDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const ordered_at = yield* now
        yield* repo.insert({ ...draft, organization_id, ordered_at })
        return ordered_at
      })

      const hold = Effect.fn("Deposits.hold")(function* ({
        number,
        ...document
      }: ArchivedDocument & Pick<Deposit, "number">) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { ...document, organization_id }
        if (Option.isSome(yield* repo.lock(key))) return true
        return !(yield* repo.isArchived({ ...key, number }))
      })

      const withdraw = Effect.fn("Deposits.withdraw")(function* (document: ArchivedDocument) {
        yield* repo.remove({ ...document, organization_id: (yield* CurrentOrganization).id })
      })

      const record = Effect.fnUntraced(function* (
        deposit: Deposit,
        stored: Effect.Success<ReturnType<typeof vault.store>>
      ) {
        // This locks the deposit: a withdrawal, or a second attempt to archive it, waits until this transaction ends.
        const found = yield* repo.lock(deposit)
        // The document may have been issued again with different content.
        if (Option.isNone(found) || found.value.ordered_at !== deposit.ordered_at) return
        yield* repo.remove(deposit)
        const { ordered_at: _at, organization_id, print: _, ...document } = found.value
        const facts = {
          ...document,
          object_kind: "pdf",
          direction: "outbound",
          content_type: "application/pdf",
          environment: null
        } as const
        yield* vault.record(organization_id, stored, facts, "plan")
      }, transaction)

      const fulfil = Effect.fn("Deposits.fulfil")(function* (deposit: Deposit, file: LocalFile) {
        const { organization_id } = deposit
        const stored = yield* vault
          .store(organization_id, file)
          .pipe(Effect.tapError(() => Effect.flatMap(now, (at) => objects.noteFailure(organization_id, at))))
        yield* record(deposit, stored)
      })

      const attachOne = Effect.fnUntraced(function* <E>(
        organization_id: OrganizationId,
        document: Effect.Success<ReturnType<typeof repo.archived>> extends Option.Option<infer Facts> ? Facts : never,
        { content_type, file }: AttachedFile<E>
      ) {
        const local = yield* file
        if (Option.isNone(local)) return
        const stored = yield* vault.store(organization_id, local.value)
        const described = { object_kind: "attachment", direction: "outbound", environment: null } as const
        const facts = { ...document, ...described, content_type: contentTypeOf(content_type) }
        yield* vault.recordOnce(organization_id, stored, facts, "plan")
      }, Effect.scoped)

      const attach = Effect.fn("Deposits.attach")(function* <E>(
        key: DepositKey,
        files: ReadonlyArray<AttachedFile<E>>
      ) {
        const document = yield* repo.archived(key)
        if (files.length === 0 || Option.isNone(document)) return
        const known = yield* repo.attached(key)
        const added = files.filter(({ sha256 }) => !known.has(sha256))
        yield* Effect.forEach(added, (file) => attachOne(key.organization_id, document.value, file), { discard: true })
      })

      const overdue = Effect.fnUntraced(function* (after: OverdueDeposit = beginning) {
        const before = DateTime.subtract(yield* DateTime.now, { hours: overdue_hours })
        const ordered_before = timestampOf(before)
        return yield* repo.overdue({ ordered_before, after, limit: overdue_max })
      })

      const setAside = Effect.fn("Deposits.setAside")(function* (key: DepositKey) {
        yield* repo.setAside({ ...key, set_aside_at: yield* now })
      })

      return Deposits.of({ isOpen, insert, hold, withdraw, find: repo.find, fulfil, attach, setAside, overdue })
    })
  ).pipe(Layer.provide([DepositsRepo.layer, ObjectsRepo.layer, Vault.layer]))
}

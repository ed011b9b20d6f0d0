import { Context, DateTime, Effect, Layer, Option } from "effect"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import type { Deposit, DepositKey, DocumentKey } from "./Deposit.ts"
import { DepositsRepo } from "./DepositsRepo.ts"

type DepositDraft = Omit<Deposit, "organization_id">

/** Longer than a deposit's own attempts take. */
const overdue_hours = 2
const overdue_max = 1_000

/**
 * Issued documents on their way into the archive. A document is deposited by the very transaction that issues it, so
 * that each one gets there and an outage of the storage stops nobody from issuing; its file is made and stored after.
 */
export class Deposits extends Context.Service<
  Deposits,
  {
    /** Whether what the organization issues is archived. */
    readonly isOpen: Effect.Effect<boolean, never, CurrentOrganization>
    /** Within the transaction that issues the document. */
    readonly order: (draft: DepositDraft) => Effect.Effect<void, never, CurrentOrganization>
    /**
     * Keeps the document from being archived until the transaction ends. False when it is in the archive under this
     * number: then it must stay issued.
     */
    readonly hold: (
      document: DocumentKey & Pick<Deposit, "number">
    ) => Effect.Effect<boolean, never, CurrentOrganization>
    /** Within the transaction that makes the document a draft again. */
    readonly withdraw: (document: DocumentKey) => Effect.Effect<void, never, CurrentOrganization>
    /** None: it is in the archive, or was withdrawn. */
    readonly find: (key: DepositKey) => Effect.Effect<Option.Option<Deposit>>
    /** Stores the file that was made of it. Nothing is recorded of a document that was withdrawn meanwhile. */
    readonly fulfil: (key: DepositKey, file: LocalFile) => Effect.Effect<void, StorageUnavailable>
    /** Nothing resumes the deposit any more: no file can be made of it. */
    readonly setAside: (key: DepositKey) => Effect.Effect<void>
    /** Deposits that wait although their attempts are over. */
    readonly overdue: Effect.Effect<ReadonlyArray<DepositKey>>
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

      const order = Effect.fn("Deposits.order")(function* (draft: DepositDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* repo.insert({ ...draft, organization_id }, yield* now)
      })

      const hold = Effect.fn("Deposits.hold")(function* ({
        number,
        ...document
      }: DocumentKey & Pick<Deposit, "number">) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { ...document, organization_id }
        if (Option.isSome(yield* repo.lock(key))) return true
        return !(yield* repo.isArchived({ ...key, number }))
      })

      const withdraw = Effect.fn("Deposits.withdraw")(function* (document: DocumentKey) {
        yield* repo.remove({ ...document, organization_id: (yield* CurrentOrganization).id })
      })

      const record = Effect.fnUntraced(function* (
        key: DepositKey,
        stored: Effect.Success<ReturnType<typeof vault.store>>
      ) {
        // Its lock decides between this and a withdrawal, or a second attempt.
        const found = yield* repo.lock(key)
        if (Option.isNone(found)) return
        yield* repo.remove(key)
        const { organization_id, print: _, ...document } = found.value
        const facts = {
          ...document,
          object_kind: "pdf",
          direction: "outbound",
          content_type: "application/pdf"
        } as const
        yield* vault.record(organization_id, stored, facts, "plan")
      }, transaction)

      const fulfil = Effect.fn("Deposits.fulfil")(function* (key: DepositKey, file: LocalFile) {
        const { organization_id } = key
        const stored = yield* vault
          .store(organization_id, file)
          .pipe(Effect.tapError(() => Effect.flatMap(now, (at) => objects.noteFailure(organization_id, at))))
        yield* record(key, stored)
      })

      const overdue = Effect.gen(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { hours: overdue_hours })
        return yield* repo.overdue({ ordered_before: Timestamp.make(DateTime.formatIso(before)), limit: overdue_max })
      })

      const setAside = Effect.fn("Deposits.setAside")(function* (key: DepositKey) {
        yield* repo.setAside({ ...key, set_aside_at: yield* now })
      })

      return Deposits.of({ isOpen, order, hold, withdraw, find: repo.find, fulfil, setAside, overdue })
    })
  ).pipe(Layer.provide([DepositsRepo.layer, ObjectsRepo.layer, Vault.layer]))
}

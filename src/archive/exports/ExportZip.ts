import { Context, Deferred, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { zipped } from "../../platform/documents/Zip.ts"
import { type LocalFile } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Incidents } from "../integrity/Incidents.ts"
import type { AddressedObject } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import type { ExportFacts } from "./ExportsRepo.ts"
import { ExportTables } from "./ExportTables.ts"

/** Maximum number of objects that are fetched ahead of the one being packed. */
const fetches_max = 8
/** Minimum size of the parts in which the ZIP is written. */
const written_bytes_min = 256 * 1024

interface Packed {
  readonly file: LocalFile
  readonly object_count: number
  readonly missing_object_count: number
  readonly manifest_sha256: string
}

interface Progress {
  /** The positions of objects whose bytes are missing or altered in the storage. */
  readonly lost: Set<number>
  /** The paths in the ZIP. Objects with the same bytes have the same path and are packed once. */
  readonly packed: Set<string>
  readonly scope: Scope.Scope
}

/** Packs an export of any size with bounded memory. A lost object is reported, and does not stop the others. */
export class ExportZip extends Context.Service<
  ExportZip,
  { readonly pack: (facts: ExportFacts) => Effect.Effect<Packed, StorageUnavailable, Scope.Scope> }
>()("invoicing/archive/exports/ExportZip") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const exportTables = yield* ExportTables
      const vault = yield* Vault
      const incidents = yield* Incidents
      const spool = yield* Spool

      /** Returns no entry if the bytes of the object are lost or already packed. */
      const entryOf = Effect.fnUntraced(function* (object: AddressedObject, { lost, packed, scope: whole }: Progress) {
        const path = `objects/${object.object_key}`
        if (packed.has(path)) return []
        // A large object stays in a file, which is already verified, until it is packed.
        const scope = yield* Scope.fork(whole)
        const proven = yield* vault.prove(object).pipe(
          Scope.provide(scope),
          Effect.asSome,
          Effect.catchTag("ObjectLost", ({ verdict }) =>
            Effect.as(incidents.reportObject(object, verdict, "export"), Option.none())
          )
        )
        if (Option.isNone(proven)) lost.add(object.position)
        if (Option.isNone(proven) || packed.has(path)) return yield* Effect.as(Scope.close(scope, Exit.void), [])
        packed.add(path)
        const { bytes, content: held } = proven.value
        const close = Scope.close(scope, Exit.void)
        if (held !== undefined) yield* close
        return [{ path, modified_at: object.archived_at, content: held ?? Stream.ensuring(bytes, close) }]
      })

      const pack = Effect.fn("ExportZip.pack")(function* (facts: ExportFacts) {
        const progress: Progress = { lost: new Set(), packed: new Set(), scope: yield* Effect.scope }
        const summary = yield* Deferred.make<Omit<Packed, "file">>()
        const objectEntries = exportTables.objects(facts).pipe(
          Stream.flatMap((part) => Stream.fromIterable(part)),
          Stream.mapEffect((object) => entryOf(object, progress), { concurrency: fetches_max }),
          Stream.flatMap((entries) => Stream.fromIterable(entries))
        )
        const tableEntries = Stream.unwrap(
          Effect.flatMap(exportTables.of(facts, progress.lost), ({ counted, tables }) =>
            Effect.as(Deferred.succeed(summary, counted), Stream.fromIterable(tables))
          )
        )
        const file = yield* spool.keep(joined(zipped(Stream.concat(objectEntries, tableEntries))))
        return { ...(yield* Deferred.await(summary)), file }
      })

      return ExportZip.of({ pack })
    })
  ).pipe(Layer.provide([ExportTables.layer, Vault.layer, Incidents.layer]))
}

/** Joins small parts: a ZIP has several of them for each file, and each write costs a thread switch. */
const joined = <E>(parts: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
  Stream.mapAccum(
    parts,
    () => ({ held: new Array<Uint8Array>(), length: 0 }),
    ({ held, length }, part) => {
      held.push(part)
      return length + part.length < written_bytes_min
        ? [{ held, length: length + part.length }, []]
        : [{ held: [], length: 0 }, [Buffer.concat(held)]]
    },
    { onHalt: ({ held }) => [Buffer.concat(held)] }
  )

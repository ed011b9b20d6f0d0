import { Context, Deferred, Effect, FileSystem, Layer, Option, type Scope, Stream } from "effect"
import { AuditTrail } from "../../platform/events/AuditTrail.ts"
import { type ZipEntry, zipped } from "../../platform/documents/Zip.ts"
import { type LocalFile } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Incidents } from "../integrity/Incidents.ts"
import { type AddressedObject, ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import { TransmissionsRepo } from "../transmissions/TransmissionsRepo.ts"
import { describeFilters } from "./Export.ts"
import { exportReadme } from "./ExportReadme.ts"
import {
  manifest_columns,
  manifestRecord,
  trail_columns,
  trailRecords,
  transmission_columns,
  transmissionRecord
} from "./ExportRecords.ts"
import type { ExportFacts } from "./ExportsRepo.ts"
import { csv, json } from "./ExportTable.ts"

const part_max = 500
/** Objects that are fetched ahead of the one being packed. */
const fetches_max = 8
/** Larger objects are packed in pieces: fetched once to know that they are there, and once to be packed. */
const held_bytes_max = 1024 * 1024

interface Packed {
  readonly file: LocalFile
  readonly object_count: number
  readonly missing_object_count: number
  readonly manifest_sha256: string
}

/** What is known about the objects so far. */
interface Progress {
  /** Positions of those whose bytes could not be produced. */
  readonly lost: Set<number>
  /** Paths that are in the ZIP: objects of the same bytes share one. */
  readonly packed: Set<string>
}

/**
 * The ZIP of an export; spec, Fiscal archive. What it holds in memory depends neither on how many objects there are nor
 * on how large they are. An object that is lost is counted and reported, and the others are packed all the same.
 */
export class ExportZip extends Context.Service<
  ExportZip,
  { readonly pack: (facts: ExportFacts) => Effect.Effect<Packed, StorageUnavailable, Scope.Scope> }
>()("invoicing/archive/exports/ExportZip") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const objects = yield* ObjectsRepo
      const exchanged = yield* TransmissionsRepo
      const trail = yield* AuditTrail
      const vault = yield* Vault
      const incidents = yield* Incidents
      const spool = yield* Spool
      const files = yield* FileSystem.FileSystem

      /** Objects of the export's set, in parts. */
      const parts = ({ filters, organization_id, through_position: through }: ExportFacts) =>
        inParts((part) => objects.part({ organization_id, through }, filters, part))

      const contentOf = Effect.fnUntraced(function* (object: AddressedObject) {
        const { bytes } = yield* vault.prove(object)
        if (object.size_bytes <= held_bytes_max) return yield* Stream.mkUint8Array(bytes)
        return Stream.unwrap(Effect.map(vault.prove(object), ({ bytes }) => bytes)).pipe(
          // It was there a moment ago: the next attempt finds out.
          Stream.mapError(() => StorageUnavailable.of())
        )
      }, Effect.scoped)

      const file = (path: string, { path: local }: LocalFile, modified_at: string): ZipEntry<StorageUnavailable> => ({
        path,
        modified_at,
        content: files.stream(local).pipe(Stream.mapError(() => StorageUnavailable.of()))
      })

      /** The entry of an object; nothing when its bytes are in already, or lost. */
      const entryOf = Effect.fnUntraced(function* (object: AddressedObject, { lost, packed }: Progress) {
        const path = `objects/${object.object_key}`
        const content = yield* contentOf(object).pipe(
          Effect.asSome,
          Effect.catchTag("ObjectLost", ({ verdict }) =>
            Effect.as(incidents.reportObject(object, verdict, "export"), Option.none())
          )
        )
        if (Option.isNone(content)) lost.add(object.position)
        if (Option.isNone(content) || packed.has(path)) return []
        packed.add(path)
        return [{ path, modified_at: object.archived_at, content: content.value }]
      })

      /** What is told about the objects, once it is known which of them are missing. */
      const tablesOf = Effect.fnUntraced(function* (facts: ExportFacts, { lost }: Progress) {
        const { created_at, id: export_id, organization_id } = facts
        const { entries, head } = yield* trail.head(organization_id)
        const about = { organization_id, export_id }
        const manifest = Stream.map(parts(facts), (part) =>
          part.map((object) => manifestRecord(object, !lost.has(object.position)))
        )
        const chain = trailRecords(trail.parts(organization_id, entries))
        const transmissions = Stream.map(
          inParts((part) => exchanged.part(organization_id, part)),
          (part) => part.map(transmissionRecord)
        )
        const filters = yield* describeFilters(facts.filters)
        const described = { ...about, created_at, filters, trail: { entries, head } }
        const manifestJson = yield* spool.keep(json(described, "objects", manifest))
        const missing_object_count = lost.size
        const object_count = facts.object_count - missing_object_count
        const counted = { object_count, missing_object_count, manifest_sha256: manifestJson.sha256 }
        const readme = exportReadme({ ...about, created_at, ...counted, entries, head })
        const table = (path: string, bytes: Stream.Stream<Uint8Array>) =>
          Effect.map(spool.keep(bytes), (kept) => file(path, kept, created_at))
        const tables = [
          file("manifest.json", manifestJson, created_at),
          yield* table("manifest.csv", csv(manifest_columns, manifest)),
          yield* table("audit-trail.json", json({ ...about, entries, head }, "trail", chain)),
          yield* table("audit-trail.csv", csv(trail_columns, chain)),
          yield* table("transmissions.json", json(about, "transmissions", transmissions)),
          yield* table("transmissions.csv", csv(transmission_columns, transmissions)),
          { path: "README", modified_at: created_at, content: new TextEncoder().encode(readme) }
        ]
        return { tables, counted }
      })

      const pack = Effect.fn("ExportZip.pack")(function* (facts: ExportFacts) {
        const progress: Progress = { lost: new Set(), packed: new Set() }
        const summary = yield* Deferred.make<Omit<Packed, "file">>()
        const objectEntries = parts(facts).pipe(
          Stream.flatMap((part) => Stream.fromIterable(part)),
          Stream.mapEffect((object) => entryOf(object, progress), { concurrency: fetches_max }),
          Stream.flatMap((entries) => Stream.fromIterable(entries))
        )
        const tableEntries = Stream.unwrap(
          Effect.flatMap(tablesOf(facts, progress), ({ counted, tables }) =>
            Effect.as(Deferred.succeed(summary, counted), Stream.fromIterable(tables))
          )
        )
        const file = yield* spool.keep(zipped(Stream.concat(objectEntries, tableEntries)))
        return { ...(yield* Deferred.await(summary)), file }
      })

      return ExportZip.of({ pack })
    })
  ).pipe(Layer.provide([ObjectsRepo.layer, TransmissionsRepo.layer, AuditTrail.layer, Vault.layer, Incidents.layer]))
}

/** Rows in the order of their positions, read in parts. */
const inParts = <Row extends { readonly position: number }>(
  read: (part: { readonly after: number; readonly limit: number }) => Effect.Effect<ReadonlyArray<Row>>
) =>
  Stream.paginate(0, (after) =>
    Effect.map(read({ after, limit: part_max }), (part) => {
      const last = part.at(-1)
      const next = last === undefined || part.length < part_max ? Option.none() : Option.some(last.position)
      return [[part], next] as const
    })
  )

import { Context, Effect, FileSystem, Layer, Option, Path, type Scope, Stream, Struct } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import type { ZipEntry } from "../../platform/documents/Zip.ts"
import { AuditTrail } from "../../platform/events/AuditTrail.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import { record_kinds, type RecordKind } from "../books/StoredRecord.ts"
import { SealedRecords } from "../books/SealedRecords.ts"
import type { StoredCheckpoint } from "../checkpoints/Checkpoint.ts"
import { Checkpoints } from "../checkpoints/Checkpoints.ts"
import { type AddressedObject, ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { TransmissionsRepo } from "../objects/TransmissionsRepo.ts"
import { describeFilters } from "./Export.ts"
import { exportReadme } from "./files/ExportReadme.ts"
import {
  manifest_columns,
  manifestRecord,
  sealRecord,
  trail_columns,
  trailRecords,
  transmission_columns,
  transmissionRecord
} from "./files/ExportRecords.ts"
import type { ExportFacts } from "./ExportsRepo.ts"
import { csv, json } from "./files/ExportTable.ts"

const part_max = 500
const verifier = new URL("./files/verify.mjs", import.meta.url)

interface Tables {
  readonly tables: ReadonlyArray<ZipEntry<StorageUnavailable>>
  readonly counted: {
    readonly object_count: number
    readonly missing_object_count: number
    readonly manifest_sha256: string
  }
}

/** All files of an export except the archived objects. */
export class ExportTables extends Context.Service<
  ExportTables,
  {
    readonly objects: (facts: ExportFacts) => Stream.Stream<ReadonlyArray<AddressedObject>>
    /** Writes the files. `lost` contains the positions of objects whose bytes are missing in the export. */
    readonly of: (
      facts: ExportFacts,
      lost: ReadonlySet<number>
    ) => Effect.Effect<Tables, StorageUnavailable, Scope.Scope>
  }
>()("invoicing/archive/exports/ExportTables") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const objectsRepo = yield* ObjectsRepo
      const exchanged = yield* TransmissionsRepo
      const trail = yield* AuditTrail
      const books = yield* SealedRecords
      const checkpoints = yield* Checkpoints
      const signer = yield* Signer
      const spool = yield* Spool
      const files = yield* FileSystem.FileSystem
      const { snapshot } = yield* Database
      const verify = yield* Effect.orDie((yield* Path.Path).fromFileUrl(verifier))

      const objects = ({ filters, organization_id, through_position: through }: ExportFacts) =>
        inParts(
          (part) => objectsRepo.part({ organization_id, through }, filters, part),
          ({ position }) => position
        )

      const sealed = (organization_id: OrganizationId, kind: RecordKind) =>
        Stream.map(
          inParts(
            (part) => books.part(organization_id, kind, part),
            ({ id }) => id
          ),
          (part) => part.flatMap((record) => sealRecord(kind, record))
        )

      /** Reads the audit chain and the books in one snapshot, because they must agree. */
      const tell = Effect.fnUntraced(function* (facts: ExportFacts, lost: ReadonlySet<number>) {
        const { created_at, id: export_id, organization_id } = facts
        const { entries, head } = yield* trail.head(organization_id)
        const about = { organization_id, export_id }
        const manifest = Stream.map(objects(facts), (part) =>
          part.map((object) => manifestRecord(object, !lost.has(object.position)))
        )
        const chain = trailRecords(trail.parts(organization_id, entries))
        const no_seals: Stream.Stream<ReadonlyArray<object>> = Stream.empty
        const seals = record_kinds.reduce(
          (before, kind) => Stream.concat(before, sealed(organization_id, kind)),
          no_seals
        )
        const transmissions = Stream.map(
          inParts(
            (part) => exchanged.part(organization_id, part),
            ({ position }) => position
          ),
          (part) => part.map(transmissionRecord)
        )
        const filters = yield* describeFilters(facts.filters)
        const described = { ...about, created_at, filters, trail: { entries, head } }
        const tables: ReadonlyArray<readonly [string, Stream.Stream<Uint8Array>]> = [
          ["manifest.json", json(described, "objects", manifest)],
          ["manifest.csv", csv(manifest_columns, manifest)],
          ["audit-trail.json", json({ ...about, entries, head }, "trail", chain)],
          ["audit-trail.csv", csv(trail_columns, chain)],
          ["transmissions.json", json(about, "transmissions", transmissions)],
          ["transmissions.csv", csv(transmission_columns, transmissions)],
          ["seals.json", json(about, "records", seals)]
        ]
        const kept = yield* Effect.forEach(tables, ([path, bytes]) =>
          Effect.map(spool.keep(bytes), (file) => ({ path, file }))
        )
        return { entries, head, kept }
      }, snapshot)

      const of = Effect.fn("ExportTables.of")(function* (facts: ExportFacts, lost: ReadonlySet<number>) {
        const { created_at, id: export_id, organization_id } = facts
        const { entries, head, kept } = yield* tell(facts, lost)
        // The checkpoints are read after the chain, so that none is missing that the chain names.
        const { checkpoints: seen } = yield* checkpoints.read(organization_id)
        const missing_object_count = lost.size
        const object_count = facts.object_count - missing_object_count
        const manifest_sha256 = kept.find(({ path }) => path === "manifest.json")?.file.sha256 ?? ""
        const counted = { object_count, missing_object_count, manifest_sha256 }
        const { public_key } = signer
        const about = { organization_id, export_id, created_at, entries, head, public_key }
        const readme = yield* spool.keep(textOf(exportReadme({ ...about, ...counted })))
        const verifying = yield* spool.keep(Stream.orDie(files.stream(verify)))
        const told = [...kept, { path: "README", file: readme }]
        const hashes = Object.fromEntries(told.map(({ file, path }) => [path, file.sha256]))
        const statement = { organization_id, export_id, entries, head, at: yield* now, files: hashes, public_key }
        const signature = signer.sign(canonicalJson(statement))
        const signed = { checkpoints: toldOf(seen, entries), statement: { ...statement, signature } }
        const checkpointsJson = yield* spool.keep(textOf(`${JSON.stringify(signed, null, 2)}\n`))
        const entry = ({ path: local }: LocalFile, path: string): ZipEntry<StorageUnavailable> => ({
          path,
          modified_at: created_at,
          content: files.stream(local).pipe(Stream.mapError(() => StorageUnavailable.of()))
        })
        const tables = [
          ...told.map(({ file, path }) => entry(file, path)),
          entry(checkpointsJson, "checkpoints.json"),
          entry(verifying, "verify.mjs")
        ]
        return { tables, counted }
      })

      return ExportTables.of({ objects, of })
    })
  ).pipe(
    Layer.provide([
      SealedRecords.layer,
      ObjectsRepo.layer,
      TransmissionsRepo.layer,
      AuditTrail.layer,
      Checkpoints.layer
    ])
  )
}

const textOf = (text: string) => Stream.encodeText(Stream.succeed(text))

/** Omits checkpoints that are newer than the exported chain, because the export lacks the entries that they cover. */
const toldOf = (seen: ReadonlyArray<StoredCheckpoint>, entries: number) =>
  seen.filter(({ seq }) => seq <= entries).map(Struct.omit(["sha256"]))

const inParts = <Row>(
  read: (part: ListPart) => Effect.Effect<ReadonlyArray<Row>>,
  positionOf: (row: Row) => number
): Stream.Stream<ReadonlyArray<Row>> =>
  Stream.paginate(0, (after) =>
    Effect.map(read({ after, limit: part_max }), (part) => {
      const last = part.at(-1)
      const next = last === undefined || part.length < part_max ? Option.none() : Option.some(positionOf(last))
      return [[part], next] as const
    })
  )

import { Layer } from "effect"
import { Archive } from "./Archive.ts"
import { ArchiveHttp } from "./ArchiveHttp.ts"
import { Checkpoints } from "./checkpoints/Checkpoints.ts"
import { ExportBuilder } from "./exports/ExportBuilder.ts"
import { Exports } from "./exports/Exports.ts"
import { ExportsHttp } from "./exports/ExportsHttp.ts"
import { ExportUpkeep } from "./exports/ExportUpkeep.ts"
import { ExportWorker } from "./exports/ExportWorker.ts"
import { Incidents } from "./integrity/Incidents.ts"
import { Integrity } from "./integrity/Integrity.ts"
import { IntegrityWorker } from "./integrity/IntegrityWorker.ts"
import { Proofs } from "./integrity/Proofs.ts"

export const ArchiveLayer = Layer.merge(ArchiveHttp, ExportsHttp).pipe(Layer.provide([Archive.layer, Exports.layer]))

export const ArchiveWorkers = Layer.merge(ExportWorker, IntegrityWorker).pipe(
  Layer.provide([ExportBuilder.layer, ExportUpkeep.layer, Incidents.layer, Integrity.layer])
)

/** Provides the services that prove the books and the archive, for backups and restores. */
export const ArchiveProof = Layer.mergeAll(Integrity.layer, Proofs.layer, Checkpoints.layer)

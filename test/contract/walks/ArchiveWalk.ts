import { unlinkSync } from "node:fs"
import { workOf } from "../../archive/DocumentArchiver.ts"
import type { App } from "../../support/App.ts"
import type { Books } from "../../support/Billing.ts"
import type { Ask } from "./Walk.ts"

/** Settings of the archive. An export may contain two objects, so that an export of three is refused. */
export const archive_settings = { plans: ["business"], retentionDays: 3650, exportDays: 7, exportObjectsMax: 2 }

export const walkArchive = async (app: App, books: Books, ask: Ask) => {
  const { archiveAll, build, filesOf, query } = workOf(app)
  await ask(200, "GET /archive")
  await ask(409, "POST /archive/exports")
  await books.issued()
  await archiveAll(books)
  const [object] = await ask(200, "GET /archive/documents?per_page=1")
  await ask(422, "GET /archive/documents?per_page=201")
  await ask(200, `GET /archive/documents/${object.id}/download`)
  const { id } = await ask(202, "POST /archive/exports", { kind: "pdf" })
  await ask(422, "POST /archive/exports", { kind: "docx" })
  await ask(409, "POST /archive/exports")
  await ask(404, `GET /archive/exports/${id}/download`)
  await build(books, id)
  await ask(200, `GET /archive/exports/${id}`)
  await ask(200, `GET /archive/exports/${id}/download`)
  for (const area of ["archive", "exports"] as const) filesOf(books, area).forEach((file) => unlinkSync(file))
  await ask(503, `GET /archive/documents/${object.id}/download`)
  await ask(503, `GET /archive/exports/${id}/download`)
  await query((sql) => sql`update archive_exports set status = 'expired' where id = ${id}`)
  await ask(410, `GET /archive/exports/${id}/download`)
  for (let count = 0; count < 2; count++) await books.issued()
  await archiveAll(books)
  await ask(409, "POST /archive/exports")
}

import { expect, it } from "vitest"
import { ArchivingQueue } from "../../src/billing/archiving/ArchivingQueue.ts"
import { DocumentArchiver } from "../../src/billing/archiving/DocumentArchiver.ts"
import { useArchive } from "./DocumentArchiver.ts"

const { open, query, work } = useArchive()

it("a document is archived again although the archiving of a thousand older ones keeps failing", async () => {
  const ours = await open()
  const { id } = await ours.issued()
  await query(
    (sql) => sql`
      insert into archive_deposits select (jsonb_populate_record(d, jsonb_build_object('document_id', 1000000 + n,
        'ordered_at', d.ordered_at - interval '5 hours'))).*
      from archive_deposits d, generate_series(1, 1000) n where d.document_id = ${id}`
  )
  await query(
    (sql) => sql`update archive_deposits set ordered_at = ordered_at - interval '3 hours' where document_id = ${id}`
  )
  await query((sql) => sql`delete from jobs where queue_name = ${ArchivingQueue.name}`)
  await work(DocumentArchiver.use(({ resume }) => resume))
  const resumed = await query(
    (sql) => sql<{ id: string }>`select id from jobs where queue_name = ${ArchivingQueue.name} order by sequence`
  )
  await query((sql) => sql`delete from archive_deposits where document_id > 1000000`)
  expect([resumed.length, resumed.at(-1)?.id]).toEqual([1001, expect.stringContaining(`invoice-${id}-`)])
})

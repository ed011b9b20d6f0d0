/** Each query returns the rows that violate the invariant in its key. */
export const archiveInvariants: Readonly<Record<string, string>> = {
  "A document issued under a plan with a vault is archived, or waiting to be.": `
    select issued.document, issued.id from (
      select organization_id, 'invoice' as document, id, number from invoices
      where issued_at is not null and jsonb_array_length(items) > 0
      union all
      select organization_id, 'credit_note', id, number from credit_notes where sent_at is not null) issued
    join organizations o on o.id = issued.organization_id and o.plan = 'business'
    where not exists (
        select from archive_deposits d where d.organization_id = o.id and d.document_type = issued.document
          and d.document_id = issued.id and d.number = issued.number)
      and not exists (
        select from archive_objects a where a.organization_id = o.id and a.document_type = issued.document
          and a.document_id = issued.id and a.number = issued.number and a.object_kind = 'pdf')`,
  "Positions in an archive have no gaps, its counts equal its objects, and each object has an audit entry.": `
    select v.organization_id, v.objects, v.bytes, found.*, recorded.* from vaults v,
      lateral (select count(*) as rows, coalesce(max(o.position), 0) as last, coalesce(sum(o.size_bytes), 0) as stored
        from archive_objects o where o.organization_id = v.organization_id) found,
      lateral (select count(*) as entries from audit_entries e
        where e.organization_id = v.organization_id and e.canonical like '{"action":"archive.stored",%') recorded
    where (v.objects, v.objects, v.objects, v.bytes)
      is distinct from (found.rows, found.last, recorded.entries, found.stored)`
}

/** Each query returns the rows that violate the invariant in its key. */
export const submissionInvariants: Readonly<Record<string, string>> = {
  "The status of a submission is the furthest step of its history, because it can fail only before the receiver has it.": `
    with steps (status, rank) as (
      values ('pending', 0), ('submitted', 1), ('sent', 2), ('failed', 3), ('delivered', 4), ('accepted', 5), ('rejected', 5))
    select e.id, e.status, furthest.status as told from einvoices e left join
      lateral (select m.status from einvoice_messages m join steps using (status)
        where m.organization_id = e.organization_id and m.einvoice_id = e.id
        order by steps.rank desc, m.position limit 1) furthest on true
    where e.status is distinct from furthest.status
      or (e.status in ('rejected', 'failed')) <> (e.reason is not null)
      or (e.status in ('rejected', 'failed')) <> (e.retryable is not null)`,
  "Each step of a submission that matters is one event.": `
    with due as (
      select e.organization_id, e.id, step.type from einvoices e,
        lateral (select array_agg(status) as statuses from einvoice_messages
          where organization_id = e.organization_id and einvoice_id = e.id) history,
        lateral (values
          ('einvoice.sent', statuses && array['sent', 'delivered', 'accepted']),
          ('einvoice.delivered', statuses && array['delivered', 'accepted']),
          ('einvoice.failed', e.status in ('rejected', 'failed'))) step (type, is_due)
      where step.is_due
      union all
      select organization_id, id, 'einvoice.created' from einvoices
      union all
      select organization_id, id, 'einvoice.received' from received_documents),
    told as (
      select organization_id, (data ->> 'id')::bigint as id, type from outbox
      where type like 'einvoice.%' and type <> 'einvoice.updated')
    (select * from due except all select * from told) union all (select * from told except all select * from due)`,
  "Each exchange of a submission is one row in the archive.": `
    with due as (
      select e.organization_id, e.transmission_id || ':' || m.message_id as id, m.code, e.number,
        case when m.message_id = 'submission' then e.xml_object_id else m.archive_object_id end as object_id
      from einvoices e join einvoice_messages m on m.organization_id = e.organization_id and m.einvoice_id = e.id
      where m.source <> 'service'
        or m.receipt_type not in ('unsigned_document', 'signed_document', 'signer_certificate')),
    recorded as (
      select t.organization_id, t.id, t.code, t.number, t.object_id from archive_transmissions t
      join einvoices e on e.organization_id = t.organization_id
        and e.transmission_id::text = split_part(t.id, ':', 1))
    (select * from due except all select * from recorded) union all
    (select * from recorded except all select * from due)`,
  "The bytes that a network may have are archived.": `
    select e.id, kept.id as object from einvoices e join archive_objects kept on kept.id = e.xml_object_id
    where kept.sha256 <> e.xml_sha256 or kept.object_kind <> 'ubl_xml' or kept.number <> e.number
    union all
    select m.einvoice_id, kept.id from einvoice_messages m join archive_objects kept on kept.id = m.archive_object_id
    where kept.sha256 <> m.receipt_sha256
      or kept.object_kind <> case when m.receipt_type like '%signed_document' then 'ubl_xml' else 'evidence' end
    union all
    select id, null from einvoices where (status = 'pending' or retryable) is not true and xml_object_id is null
      -- Nothing was written for a document that breaks the rules of the authority.
      and not (status = 'failed' and network_status = 'invalid_document')`
}

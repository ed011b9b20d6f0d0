-- context: billing

-- Ends the links and the waiting messages of offers that were rejected and then changed: they lead to the new offer, which
-- may be for another customer. The last rejection of a quote that is still rejected was not followed by a change.
with rejections as (
  select organization_id, quote_id, at, row_number() over (partition by organization_id, quote_id order by seq desc) as place
  from (
    select organization_id, seq, (canonical::jsonb #>> '{data,quote_id}')::bigint as quote_id,
      (canonical::jsonb ->> 'at')::timestamptz as at
    from audit_entries where canonical like '{"action":"quote.rejected",%' and organization_id in (
      select organization_id from document_links
      where document = 'quote' and revoked_at is null and expires_at > now())) entries),
replaced as (
  select q.organization_id, q.id, max(r.at) as at
  from quotes q join rejections r on r.organization_id = q.organization_id and r.quote_id = q.id
  where r.place > 1 or q.status <> 'rejected'
  group by q.organization_id, q.id),
links as (
  update document_links l set revoked_at = now() from replaced r
  where l.organization_id = r.organization_id and l.document = 'quote' and l.document_id = r.id
    and l.revoked_at is null and l.expires_at > now() and l.created_at < r.at)
update document_mails m set state = 'refused', code = 'not_attempted', error = 'The document can no longer be sent.',
  retry_at = now(), changed_at = now()
from document_sends s join replaced r on r.organization_id = s.organization_id and r.id = s.document_id
where s.document = 'quote' and s.created_at < r.at
  and m.organization_id = s.organization_id and m.send_id = s.id and m.state = 'deferred';

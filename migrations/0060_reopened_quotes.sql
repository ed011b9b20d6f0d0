-- context: billing

-- Revokes the links of offers that were rejected and then changed: such a link leads to the new offer, which may be for
-- another customer. The last rejection of a quote that is still rejected was not followed by a change.
with rejections as (
  select organization_id, quote_id, at, row_number() over (partition by organization_id, quote_id order by seq desc) as place
  from (
    select organization_id, seq, (canonical::jsonb #>> '{data,quote_id}')::bigint as quote_id,
      (canonical::jsonb ->> 'at')::timestamptz as at
    from audit_entries where canonical like '{"action":"quote.rejected",%') entries)
update document_links l set revoked_at = now()
from quotes q join rejections r on r.organization_id = q.organization_id and r.quote_id = q.id
where l.organization_id = q.organization_id and l.document = 'quote' and l.document_id = q.id
  and l.revoked_at is null and l.expires_at > now()
  and l.created_at < r.at and (r.place > 1 or q.status <> 'rejected');

import { randomUUIDv7 } from "node:crypto"
import { Pool } from "pg"

export type Row = Record<string, unknown>

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_CONNECTIONS ?? 16)
})

/** Finds the credential and the membership and counts the request, as part of another statement. */
export const gate = `
  with credential as (select * from credentials where hash = $1),
  counted as (
    insert into rate_windows as w (key, started_at, used)
    select coalesce((select coalesce('user:' || user_id, 'token:' || token_id) from credential), 'ip'), now(), 1
    on conflict (key) do update set
      used = case when w.started_at <= now() - interval '1 minute' then 1 else w.used + 1 end,
      started_at = case when w.started_at <= now() - interval '1 minute' then now() else w.started_at end
    returning used),
  entry as (
    select o.id as organization_id, c.user_id, r.used, o.timezone from counted r
    left join credential c on true
    left join members m on m.user_id = c.user_id and m.status = 'active' and m.organization_id = $2
    left join organizations o on o.id = m.organization_id)`

export const journal = (after: string, first: number) => `
  journal as (
    update journals set entries = entries + 1,
      head = encode(sha256(convert_to(head || $${first}::text || (entries + 1) || '}', 'UTF8')), 'hex'),
      events = events + $${first + 1}::integer
    from ${after} where journals.organization_id = $${first + 2} returning entries, head, events),
  audited as (
    insert into audit_entries (organization_id, seq, canonical, hash)
    select $${first + 2}, entries, $${first}::text || entries || '}', head from journal),
  published as (
    insert into outbox (organization_id, sequence, event_id, type, occurred_at, data)
    select $${first + 2}, journal.events - $${first + 1}::integer + 1 + e."offset", e.event_id, e.type, now(), e.data
    from journal, jsonb_to_recordset($${first + 3}::jsonb) as e("offset" integer, event_id text, type text, data jsonb))`

export const journalValues = (
  organization: number,
  action: string,
  data: unknown,
  events: ReadonlyArray<[string, unknown]>
) => [
  `${JSON.stringify({ action, actor: "user:1", at: new Date().toISOString(), data }).slice(0, -1)},"seq":`,
  events.length,
  organization,
  JSON.stringify(
    events.map(([type, event], offset) => ({ offset, type, data: event, event_id: `evt_${randomUUIDv7()}` }))
  )
]

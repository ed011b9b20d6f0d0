-- context: einvoicing

-- The ids of all statuses that the tax authority sent about a report. Before, a status was recognized by its time, which
-- two statuses may share.
alter table french_reports add column authority_statuses jsonb not null default '[]';

-- A status with the time of the latest one, but another code, was not recognized. The service reads it now.
update french_reports r set authority_statuses = (
  select coalesce(jsonb_agg(s.flow_id || ':' || s.position order by f.submitted_at, s.code, s.flow_id, s.position), '[]')
  from lifecycle_statuses s join incoming_flows f using (organization_id, flow_id)
  where s.organization_id = r.organization_id and s.number = r.id::text
    and (f.submitted_at < r.authority_at or f.submitted_at = r.authority_at and s.code = r.authority_code))
where authority_at is not null;

-- The time from which a flow that could not be downloaded is tried again; null before the first failure.
alter table incoming_flows add column retry_at timestamptz;

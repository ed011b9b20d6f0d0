-- context: einvoicing
-- The address of the flow service whose flows are listed. Another platform lists its flows from the beginning, and so
-- does the platform of a row from before, which repeats nothing, because its flows are known.
alter table flow_cursors add column platform text not null default '';
alter table flow_cursors alter column platform drop default;
alter table flow_cursors drop constraint flow_cursors_pkey, add primary key (organization_id, platform);

-- A status belongs to the flow that told it.
alter table lifecycle_statuses add foreign key (organization_id, flow_id) references incoming_flows;

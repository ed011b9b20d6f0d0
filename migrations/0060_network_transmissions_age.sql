-- context: einvoicing
-- By which the purge finds what nobody asks about any more.
create index network_transmissions_age on network_transmissions (created_at);

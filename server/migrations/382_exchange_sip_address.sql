-- Where carriers reach this exchange by SIP, `host:port`; null: they don't.
alter table exchange add column sip_address text;

-- A line may also lead to our own exchange, by SIP: then it is called by a name for this one call instead of a number, and
-- whoever dials it brings a token that is good once. Only what the token hashes to stands here, and is taken away as it is used.
alter table call_way alter column via_number_id drop not null, add column token_hash text;
create index call_way_token on call_way (token_hash) where token_hash is not null;

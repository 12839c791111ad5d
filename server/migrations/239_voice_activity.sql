-- When someone speaks on each channel: a list of [from, to] in milliseconds for each. Null: the file
-- couldn't be read, or it was copied before this was kept.
alter table recording add column voice jsonb;

-- Talk statistics say what they are made from.
update transcription set statistics = statistics || '{"from": "words"}' where statistics is not null;

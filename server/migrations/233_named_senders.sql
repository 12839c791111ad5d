-- Texts also come from senders without a phone number, such as ACMEBANK. The inbox finds them by
-- their name; few conversations have one.
create index concurrently conversation_named_party on conversation (company_id, party)
  where party not like '+%' and party <> 'anonymous';

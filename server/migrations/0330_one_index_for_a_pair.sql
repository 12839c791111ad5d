-- Whether the conversation of a new item exists is looked up by company and id alone, for every item. To a planner that knows nothing
-- of a young database, any index that begins with the company looks as good for that as the key, and it took the one of parties: it read
-- all of the company's conversations for each text. An index of rows `where party is not null`, which all are, is only open to
-- those who name a party. This one also serves who names no number, so a conversation's row has one index less.
create unique index conversation_of_pair on conversation (company_id, party, number_id) where party is not null;
alter table conversation drop constraint conversation_company_id_number_id_party_key;
drop index conversation_of_party;

-- A contact that is made, restored or merged joins the conversations with its numbers; a thousand of them ask at once.
create index conversation_of_party on conversation (company_id, party);

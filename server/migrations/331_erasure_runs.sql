-- Whether a contact is being erased, asked by every look at one.
create index concurrently batch_erasure on batch (company_id, ((input ->> 'contactId')::bigint), created_at desc)
  where kind = 'erase-person';

-- A fax: the document, its delivery status, and its item in the conversation. Pages are rendered
-- images.
create table fax (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  conversation_id bigint,
  item_id bigint,
  outgoing boolean not null,
  party text not null,
  state text not null
    check (state in (
      'queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'receiving', 'received'
    )),
  name text not null default '',
  cover jsonb,
  -- What was sent (uploaded files), or where the carrier keeps what arrived.
  source_file_ids bigint[] not null default '{}',
  source_url text,
  pages int not null default 0,
  page_images jsonb not null default '[]',
  pdf_file_id bigint,
  tiff_file_id bigint,
  error_code text,
  error_text text,
  attempts int not null default 1,
  tries int not null default 0,
  carrier text not null,
  provider_id text,
  actor_id bigint,
  actor_name text,
  queued_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, conversation_id) references conversation (company_id, id)
);
create unique index fax_carrier on fax (company_id, carrier, provider_id)
  where provider_id is not null;
create index fax_provider on fax (provider_id, carrier) where provider_id is not null;
create index fax_of_number on fax (company_id, number_id, created_at desc);
select tenant_table('fax');

-- What a language model found in a call, one row for each time it was asked. Goes with the text.
create table call_reading (
  company_id bigint not null,
  id bigint not null default next_id(),
  call_id bigint not null,
  transcription_id bigint not null,
  state text not null check (state in ('queued', 'ready', 'failed')),
  is_dry_run boolean not null,
  engine text not null,
  model text,
  is_simulated boolean not null,
  -- Summary, sentiment, outcome, fields and what was dropped, as they are shown.
  found jsonb,
  input_tokens int,
  output_tokens int,
  cost_micros bigint,
  error text,
  requested_by bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, transcription_id) references transcription (company_id, id)
    on delete cascade
);
create index call_reading_call on call_reading (company_id, call_id, id desc);
create index call_reading_transcription on call_reading (company_id, transcription_id);
select tenant_table('call_reading');

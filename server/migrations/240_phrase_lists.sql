-- Phrases that a company looks for in its transcripts.
create table phrase_list (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 60),
  name_key text not null generated always as (lower(name)) stored,
  phrases text[] not null check (cardinality(phrases) between 1 and 50),
  said_by text not null check (said_by in ('either', 'agent', 'client')),
  at_least smallint not null check (at_least between 1 and 20),
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, name_key)
);
select tenant_table('phrase_list');

-- The phrases of a list that were said in a recording, as often as the list asks for. Goes with the
-- text of the transcript.
create table phrase_hit (
  company_id bigint not null,
  list_id bigint not null,
  transcription_id bigint not null,
  call_id bigint not null,
  called_at timestamptz not null,
  -- Phrase, speaker, and from when to when in the recording.
  spoken jsonb not null,
  -- Words are rough: rules don't act on them.
  is_rough boolean not null,
  primary key (company_id, list_id, transcription_id),
  foreign key (company_id, list_id) references phrase_list (company_id, id) on delete cascade,
  foreign key (company_id, transcription_id) references transcription (company_id, id)
    on delete cascade
);
create index phrase_hit_call on phrase_hit (company_id, call_id);
create index phrase_hit_transcription on phrase_hit (company_id, transcription_id);
create index phrase_hit_newest on phrase_hit (company_id, list_id, called_at desc);
select tenant_table('phrase_hit');

-- Dry runs read the newest.
create index concurrently transcription_newest on transcription (company_id, created_at desc)
  where state = 'ready';

-- Rules that set outcome, department and qualification. They run by ID.
create table outcome_rule (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 60),
  is_on boolean not null,
  phrase_list_id bigint,
  min_talk_seconds int not null check (min_talk_seconds between 0 and 86400),
  direction text check (direction in ('inbound', 'outbound')),
  outcome_tag text,
  department text,
  qualified boolean,
  lead boolean,
  set_count bigint not null default 0,
  last_set_at timestamptz,
  created_by bigint,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, phrase_list_id) references phrase_list (company_id, id),
  check (num_nonnulls(outcome_tag, department, qualified, lead) > 0)
);
create index outcome_rule_list on outcome_rule (company_id, phrase_list_id);
select tenant_table('outcome_rule');

-- The fields of a call that a person set: rules leave those alone.
alter table call add column person_set text[] not null default '{}';
update call c set person_set = h.fields
from (
  select company_id, call_id, array_agg(distinct case label
      when 'Qualification changed' then 'qualified' when 'Lead changed' then 'lead'
      when 'Outcome changed' then 'outcome_tags' else 'department' end) fields
  from call_history
  where actor_id is not null and label in
    ('Qualification changed', 'Lead changed', 'Outcome changed', 'Department changed')
  group by company_id, call_id
) h
where h.company_id = c.company_id and h.call_id = c.id;

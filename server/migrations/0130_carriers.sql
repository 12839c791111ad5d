-- What an adapter remembers of the legs of one carrier: which of the carrier's calls a leg of ours is, and what that leg
-- should be doing now. A carrier asks again after a lost answer, and is told the same from here, whichever process answers.
-- Looked up by the carrier's own ids before any company is known, so no company leads it.
create table carrier_leg (
  carrier text not null, leg text not null, call text not null,
  -- The carrier's id of this leg, once it told us one.
  carrier_ref text,
  from_number text, to_number text, inbound boolean not null,
  state text not null default 'wanted' check (state in ('wanted', 'asked', 'ringing', 'answered', 'ended')), cause text,
  -- What it should be doing, in the adapter's own words; `doing_n` counts its changes, `told_n` is the last one the carrier got.
  doing jsonb not null default '{"kind": "wait"}', doing_n int not null default 0, told_n int not null default 0,
  facts jsonb not null default '{}', done text[] not null default '{}',
  created_at timestamptz not null default now(), asked_at timestamptz, ended_at timestamptz,
  primary key (carrier, leg)
);
create unique index carrier_leg_ref on carrier_leg (carrier, carrier_ref) where carrier_ref is not null;
create index carrier_leg_call on carrier_leg (carrier, call);
create index carrier_leg_old on carrier_leg (created_at);
select global_table('carrier_leg');

-- Other things of a carrier that must be done once and found again by our key: texts by their key, recordings, rooms.
create table carrier_thing (
  carrier text not null, kind text not null, key text not null, carrier_ref text, facts jsonb not null default '{}', created_at timestamptz not null default now(),
  primary key (carrier, kind, key)
);
create unique index carrier_thing_ref on carrier_thing (carrier, kind, carrier_ref) where carrier_ref is not null;
create index carrier_thing_old on carrier_thing (created_at);
select global_table('carrier_thing');

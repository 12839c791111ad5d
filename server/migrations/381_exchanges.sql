-- Our exchanges: one row a media process, from its start until a day after its end. Its lease is
-- `exchange:<id>`. `capacity`: calls with audio at once. `load`: the part of it in use, 0 to 1.
create table exchange (
  id text primary key,
  url text not null,
  capacity int not null check (capacity > 0),
  calls int not null default 0,
  load real not null default 0,
  draining boolean not null default false,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  -- When it stopped, or was last seen before it was lost: no call of it carries audio after that.
  ended_at timestamptz
);
select global_table('exchange');

-- Which exchange has the call's legs that are ours; null: none yet. One call never has two.
alter table live_call add column exchange text;
create index concurrently live_call_exchange on live_call (exchange) where not ended and exchange is not null;

-- What a company's calls of a part of a day come to by one dimension, as `call_rollup` has it: so that
-- a period that ends at a time of day reads its whole days there.
create function counted_call_rollup(company bigint, by smallint, zone text, first timestamptz,
  until timestamptz
) returns table (
  day date, outbound boolean, key text, label text,
  calls int, answered int, missed int, voicemail int, blocked int, first_time int, talk bigint,
  answered_talk bigint, answered_ring bigint, qualified int, leads int, value bigint, over_30 int,
  over_90 int, over_120 int, over_300 int
) language sql stable as $$
  select moment::date, outbound, k.key, k.label,
    way, way * (outcome = 1)::int, way * (outcome = 2)::int, way * (outcome = 3)::int,
    way * (outcome = 4)::int, way * first_time::int, way::bigint * talk_seconds,
    way::bigint * (outcome = 1)::int * talk_seconds,
    way::bigint * (outcome = 1)::int * ring_seconds, way * qualified::int, way * lead::int,
    way * coalesce(value_cents, 0), way * (talk_seconds > 30)::int,
    way * (talk_seconds > 90)::int, way * (talk_seconds > 120)::int,
    way * (talk_seconds > 300)::int
  from (
    select 1 way, started_at at time zone zone moment, c.outbound, number_id,
      coalesce(answered_user_id, placed_by) user_id, outcome, c.source ->> 'key' source_key,
      c.source ->> 'label' source_label, c.source ->> 'campaign' campaign,
      first_contact first_time, qualified, lead, talk_seconds, ring_seconds, value_cents
    from call c
    where company_id = company and started_at >= first and started_at < until) c
  cross join lateral call_rollup_keys(number_id, user_id, source_key, source_label, campaign,
    outcome, moment) k
  where k.dimension = by
$$;

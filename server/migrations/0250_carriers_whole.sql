-- Whose number it is decides which carrier's registry takes it.
drop function registrable_numbers(bigint);
create function registrable_numbers(company bigint) returns table (id bigint, number text, label text, category smallint, live boolean, sms_enabled boolean, provider_id smallint) language sql stable as
  $$ select n.id, n.number, n.label, n.category, n.status = 'active', n.sms_enabled, n.provider_id from number n where n.company_id = company and n.status <> 'released' $$;

-- A lease has an end; calls are counted where they are written down (number_event).
alter table marketplace_number add column lease_ends_at timestamptz, drop column calls_30d, drop column misdials_30d;
update marketplace_number set lease_ends_at = leased_at + make_interval(months => coalesce(lease_term_months, 12)) where status = 'leased' and leased_at is not null;
create index marketplace_number_ending on marketplace_number (lease_ends_at) where status = 'leased';
-- A number that is leased goes back to whoever listed it, not to the carrier.
alter table number add column lease_ends_at timestamptz, add column lease_listing_id bigint;

-- What was agreed stands with the reservation, then with the lease, and nowhere else: an offer accepted once sets no later price.
alter table marketplace_number
  add column reserved_offer_id bigint,
  add column lease_setup_cents int,
  -- The lister gave notice: the lease is not renewed.
  add column lease_notice_at timestamptz,
  -- So many days before the end both sides were told last.
  add column lease_told_days int,
  add column withdraws_at_end boolean not null default false,
  -- The service of an assigned number has left for good; that is no lease.
  add column assigned_at timestamptz, add column assigned_to text, add column assigned_cents int;
-- The lessee's side of a lease: whose row may be read there.
alter table number add column lease_monthly_cents int, add column lease_term_months int, add column lease_notice_at timestamptz;
-- One number a lease.
create unique index number_by_lease on number (company_id, lease_listing_id) where lease_listing_id is not null and status <> 'released';

update marketplace_number m set reserved_offer_id = o.id
  from (select distinct on (company_id, marketplace_id, buyer_company_id) * from marketplace_offer where status = 'accepted' order by company_id, marketplace_id, buyer_company_id, decided_at desc) o
  where m.status = 'reserved' and o.company_id = m.company_id and o.marketplace_id = m.id and o.buyer_company_id = m.reserved_by_company_id;
update number n set lease_monthly_cents = m.lease_monthly_cents, lease_term_months = m.lease_term_months
  from marketplace_number m where m.id = n.lease_listing_id and m.status = 'leased' and m.lessee_company_id = n.company_id and n.status <> 'released';
-- Offers nobody can take up any more, and listings of numbers that are only leased.
update marketplace_offer o set status = 'declined', decided_at = now() from marketplace_number m
  where o.status = 'open' and m.company_id = o.company_id and m.id = o.marketplace_id and m.status in ('leased', 'withdrawn', 'draft');
update marketplace_number m set status = 'withdrawn', withdrawn_at = now(), reserved_until = null, reserved_by_company_id = null
  from number n where m.status not in ('leased', 'withdrawn') and n.company_id = m.company_id and n.id = m.number_id and n.lease_listing_id is not null and n.status <> 'released';

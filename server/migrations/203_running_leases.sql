-- The running leases of a number, among all that it ever had: each visit ends the one before.
create index concurrently tracking_lease_running on tracking_lease (company_id, number_id) where ended_at is null;

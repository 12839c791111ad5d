-- Pages that showed the number that their source always sees, for its timeline.
create index concurrently tracking_visit_fixed on tracking_visit (company_id, fixed_number_id, swapped_at desc, id desc)
  where fixed_number_id is not null and swapped_at is not null;

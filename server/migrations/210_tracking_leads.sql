-- The first call or text of a visitor, for models that give credit to the visit that led to it.
create index concurrently tracking_match_visitor on tracking_match (company_id, visitor_id, at)
  where visitor_id is not null;

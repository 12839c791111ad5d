-- The orders people choose in the table of numbers; by date there is one already.
create index number_in_order_of_label on number (company_id, lower(label), id);
create index number_in_order on number (company_id, number, id);

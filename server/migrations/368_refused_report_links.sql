-- Since when a link of a report has been refused because it asks for too much. Null: it opens.
alter table report_link add column refused_at timestamptz;

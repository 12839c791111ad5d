-- Contacts, their notes and opportunities in simulated GoHighLevel locations.
create table sandbox.gohighlevel_object (
  id bigint primary key default next_id(),
  location text not null,
  type text not null check (type in ('contact', 'note', 'opportunity')),
  fields jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index gohighlevel_object_age on sandbox.gohighlevel_object (created_at);
create index gohighlevel_object_location on sandbox.gohighlevel_object (location, type);
grant select, insert, update, delete on sandbox.gohighlevel_object to trunkline_system;

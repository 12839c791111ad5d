-- Objects in the accounts of simulated HubSpot portals.
create table sandbox.hubspot_object (
  id bigint primary key default next_id(),
  portal text not null,
  type text not null check (type in ('contacts', 'calls', 'communications')),
  properties jsonb not null,
  -- IDs of the contacts that it belongs to.
  contacts text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index hubspot_object_age on sandbox.hubspot_object (created_at);
create index hubspot_object_portal on sandbox.hubspot_object (portal, type, created_at);
grant select, insert, update, delete on sandbox.hubspot_object to trunkline_system;

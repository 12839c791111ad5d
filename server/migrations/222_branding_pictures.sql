-- Pictures of brands: made anew from what was uploaded, small, and read before anybody signs in. Of a
-- company, or of an organization.
create table branding_picture (
  token text primary key,
  organization_id bigint references organization (id) on delete cascade,
  company_id bigint references company (id) on delete cascade,
  kind text not null check (kind in ('logo', 'logo_dark', 'favicon')),
  bytes bytea not null,
  created_at timestamptz not null,
  check ((organization_id is null) <> (company_id is null))
);
create index branding_picture_organization on branding_picture (organization_id, kind);
create index branding_picture_company on branding_picture (company_id, kind);
select global_table('branding_picture');

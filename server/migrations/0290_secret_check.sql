-- What APP_SECRET makes of a fixed text. A process with another secret could read nothing that is sealed, and finds out here, at
-- its start. The owner's own connection reads it; the roles of the product have no right to it.
create table secret_check (only_row boolean primary key default true check (only_row), signature text not null, at timestamptz not null default now());

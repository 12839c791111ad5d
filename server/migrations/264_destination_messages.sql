-- What a provider said of a destination's configuration when it was saved.
alter table destination add column messages jsonb not null default '[]';

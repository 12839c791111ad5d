-- What a company used came with its archive, so its numbers and look-ups aren't counted again.
create or replace function note_usage(company bigint, what text, why text, n int, secs int,
  number bigint, happened timestamptz
) returns void language sql as $$
  insert into usage_entry (company_id, component, cause, quantity, seconds, number_id, at)
    select company, what, why, n, secs, number, happened
    where current_setting('app.importing', true) is distinct from 'on'
    on conflict (company_id, component, cause) do nothing
$$;

-- A text as people who may not see contact details can search it: without numbers and emails, whose parts
-- could otherwise be found out one by one. Hides a little more than the border masks
-- (server/src/platform/masking), never less.
create function without_details(written text, numbers boolean) returns text
language sql immutable parallel safe as $$
  select case when numbers then regexp_replace(rest, '\+?\d(?:[\s().-]{0,2}\d){6,14}', '•', 'g') else rest end
  from regexp_replace(written, '[\w.+%-]+@[\w-]+(?:\.[\w-]+)+', '•', 'g') rest
$$;

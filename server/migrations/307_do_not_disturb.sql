-- Do not disturb: no call rings this person, and nothing is pushed to them. `until` null: until they
-- turn it off.
alter table calling_person
  add column do_not_disturb boolean not null default false,
  add column do_not_disturb_until timestamptz,
  add constraint until_of_do_not_disturb check (do_not_disturb_until is null or do_not_disturb);

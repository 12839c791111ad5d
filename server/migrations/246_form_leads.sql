-- Forms of websites that became leads. They stand in conversations, as items of their own kind.
alter table tracking_visit add column form_count int not null default 0;
alter table tracking_script add column takes_forms boolean not null default false;
-- CSS selectors of the forms that are captured; none: only those the website tells of itself.
alter table tracking_script add column form_selectors text[] not null default '{}';

alter table conversation_item drop constraint conversation_item_kind_check;
alter table conversation_item add constraint conversation_item_kind_check check (kind in (
  'message', 'call', 'voicemail', 'fax', 'note', 'block', 'scheduledmessage', 'trackingmatch', 'form'
));

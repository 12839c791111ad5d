-- Texts, voicemails and faxes that were there before 366_item_rollups.sql are counted now where that
-- takes a second, or else in the background. Apart from it, since its triggers keep the table from
-- those who write texts until it ends.
set local role trunkline_system;
do $$
declare items bigint;
begin
  if (select count(*) from (select from conversation_item limit 20001) i) <= 20000 then
    while fill_item_rollup(false) is not null loop end loop;
  else
    select count(*) into items from conversation_item
      where kind in ('message', 'voicemail', 'fax') and deleted_at is null;
    insert into background_fill (name, batch, total) values ('items', 5000, items);
  end if;
end $$;
reset role;

-- Voicemails came from where their calls did, so that they are found by source, too.
update conversation_item v set details = v.details || jsonb_build_object(
    'source', c.details -> 'source', 'sourceKey', c.details -> 'sourceKey',
    'medium', c.details -> 'medium', 'campaign', c.details -> 'campaign',
    'keyword', c.details -> 'keyword', 'landingUrl', c.details -> 'landingUrl')
  from conversation_item c
  where v.kind = 'voicemail' and c.company_id = v.company_id
    and c.source = 'call:' || (v.details ->> 'callId') and c.details ->> 'sourceKey' is not null;
create index concurrently conversation_item_matched on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null and kind in ('call', 'message', 'voicemail')
    and details ->> 'sourceKey' is not null;

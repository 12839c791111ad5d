-- Campaigns also pause when the company's feature `campaigns` or `sms` is turned off.
alter table campaign drop constraint campaign_paused_reason_check;
alter table campaign add constraint campaign_paused_reason_check check (paused_reason in (
  'by_hand', 'stale_schedule', 'window_closed', 'error_rate', 'carrier', 'company_inactive', 'feature_off'));

-- Every mail stands here until the mail server has taken it. What it says is sealed: links and codes are in it. What stood here
-- in clear was a development mailbox (or, in production without a mail server, mail that never left): it goes.
delete from mail_outbox;
alter table mail_outbox
  drop column subject, drop column text, drop column html,
  add column sealed text, -- null once the mail server has taken it
  add column expires_at timestamptz, -- not worth sending after that
  add column attempts int not null default 0,
  add column sent_at timestamptz,
  add column failed_at timestamptz, -- given up; the reason is in error
  add column error text;
create index mail_outbox_failed on mail_outbox (failed_at) where failed_at is not null;

-- The mail and the job that sends it, in the transaction of whoever has a reason to write. A key that was used writes nothing.
create function queue_mail(recipient text, sealed_mail text, mail_key text, expires timestamptz, written timestamptz, lane text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare mail_id bigint;
begin
  insert into mail_outbox (to_address, sealed, key, expires_at, at) values (recipient, sealed_mail, mail_key, expires, written)
    on conflict (key) do nothing returning id into mail_id;
  if mail_id is not null then
    perform graphile_worker.add_job('mail.send', json_build_object('mailId', mail_id), lane, null, 12);
  end if;
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to trunkline_app, trunkline_system;

-- The network (an IPv4 address, or the /64 of an IPv6 one) wrong passwords came from, whatever account they were for.
alter table login_attempt add column network text;
create index login_attempt_network on login_attempt (network, at) where not ok;

-- The one-time link for the first owner of a server that cannot send mail.
alter table sent_code drop constraint sent_code_purpose_check;
alter table sent_code add constraint sent_code_purpose_check check (purpose in ('reset', 'signup', 'first_owner'));

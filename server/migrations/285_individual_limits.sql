-- Friends who came by an individual's invitation, each of whom adds to what the plan includes. Beside
-- the company, because limits are older than Caddy.
alter table company add column invitation_rewards int not null default 0;
update company c set invitation_rewards = (
  select count(*) from caddy_invitation i where i.company_id = c.id and i.rewarded_at is not null
) where kind = 'caddy';

-- An individual is told of their own payments, as billing contacts of a company are.
insert into billing_contact (company_id, id, first_name, last_name, email, phone,
    email_notifications, sms_notifications, created_at, updated_at)
  select company_id, next_id(), '', '', coalesce(email, ''), phone, email is not null,
    email is null and phone is not null, created_at, created_at from caddy_account;

import type { Answer, caddy as contract } from '#contract';
import { caddyNotices, type CaddyLocale } from '#contract/caddy/rules';
import type { Tx } from '../../platform/db.ts';
import { mustBe } from '../../platform/must-be.ts';
import { subscriptionOf } from '../billing/index.ts';
import { companyRow } from '../companies/index.ts';
import type { AccountRow } from './store.ts';

type Profile = Answer<typeof contract.getCaddyProfile>['data'];
interface Plan {
  plan: Profile['plan'];
  subscriptionStatus: Answer<typeof contract.resetCaddyPassword>['data']['subscriptionStatus'];
}
interface Name {
  first_name: string;
  last_name: string;
}

/** The plan of an account: one of the catalogue while it lasts, else the free one. */
export async function planOf(tx: Tx, accountId: number): Promise<Plan> {
  const row = await subscriptionOf(tx, accountId);
  const subscriptionStatus = row?.state ?? 'not_subscribed';
  const isOver = subscriptionStatus === 'not_subscribed' || subscriptionStatus === 'expired';
  return { plan: (!isOver && row?.plan) || 'free', subscriptionStatus };
}

/** A day as the account's person reads it, in their time zone: `December 27, 2026`. */
export async function dayFor(tx: Tx, account: AccountRow, at: Date): Promise<string> {
  const company = mustBe(await companyRow(tx, account.company_id), 'the company of an account');
  const { locale } = account;
  return at.toLocaleDateString(locale, { dateStyle: 'long', timeZone: company.timezone });
}

/** An account as its person sees it. */
export async function profileOf(tx: Tx, account: AccountRow, name: Name): Promise<Profile> {
  const company = mustBe(await companyRow(tx, account.company_id), 'the company of an account');
  const said = account.notices as Record<string, boolean>;
  return {
    id: account.company_id,
    firstName: name.first_name,
    lastName: name.last_name,
    email: account.email,
    phone: account.phone,
    emailVerified: account.email_verified_at !== null,
    phoneVerified: account.phone_verified_at !== null,
    hasPassword: account.password_hash !== null,
    avatar: account.avatar,
    timezone: company.timezone,
    locale: account.locale as CaddyLocale,
    notifications: Object.fromEntries(
      caddyNotices.map((notice) => [notice, said[notice] ?? true]),
    ) as Profile['notifications'],
    forwardTo: account.forward_to,
    voicemailGreeting: account.voicemail_greeting,
    doNotDisturb: account.do_not_disturb as Profile['doNotDisturb'],
    plan: (await planOf(tx, account.company_id)).plan,
    createdAt: account.created_at.toISOString(),
  };
}

import type { EventData } from '#contract';
import type { ssoEmergencyUsed } from '#contract/identity/external-sign-in/events';
import type { Ctx } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db.ts';
import { fullName, personById } from '../../identity/index.ts';
import { administratorsOf, organizationRow } from '../organizations/store.ts';
import { mailPeople } from './mail-administrators.ts';
import { ownersOf } from './store-only.ts';

// The system role: single sign-on is of organizations, above companies.

type Used = EventData<typeof ssoEmergencyUsed>;

/** Subscriber: the other owners and administrators get an email when one has signed in past it. */
export async function mailOwners(ctx: Ctx, used: Used): Promise<void> {
  const notice = await emergencyNotice(ctx.db, used);
  if (!notice) return;
  await ctx.db.systemTransaction((tx) =>
    mailPeople(ctx, tx, notice.userIds, {
      key: `sso:${used.organizationId}:emergency:${used.userId}:${used.at}`,
      subject: notice.title,
      text: `${notice.body} If this wasn’t them, end their sessions and have them set a new password:`,
    }),
  );
}

/** Whom to tell of an owner who has signed in past single sign-on, and what. Null: they are gone. */
export async function emergencyNotice(db: Db, { organizationId, userId, ip, at }: Used) {
  const tx = db.unscoped;
  const organization = await organizationRow(tx, organizationId);
  const person = await personById(tx, userId);
  if (!organization || !person) return null;
  const owners = (await ownersOf(tx, organizationId)).map(({ id }) => id);
  const others = new Set([...owners, ...(await administratorsOf(tx, organizationId))]);
  others.delete(userId);
  const from = ip ? ` from ${ip}` : '';
  return {
    userIds: [...others],
    title: `${fullName(person)} signed in past single sign-on`,
    body: `${fullName(person)} (${person.email}) signed in to ${organization.name} by password and second factor${from}, at ${at.slice(0, 16).replace('T', ' ')} UTC.`,
  };
}

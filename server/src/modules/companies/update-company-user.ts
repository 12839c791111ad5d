import { companies as contract, type Answer, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { setValues } from '../fields/index.ts';
import { patchPerson, personById, startEmailChange } from '../identity/index.ts';
import { getCompanyUser } from './read.ts';
import { giveRole, limitTo, lockEditable, publishAccess } from './users/change-access.ts';
import { isKnownElsewhere } from './users/store.ts';

// The system role: runs before a company is chosen, or creates one.

type Changes = Body<typeof contract.updateCompanyUser>;
type Values = Record<string, unknown>;
interface Audited {
  before: Values;
  after: Values;
}

/**
 * Changes a person in the company: role, numbers and custom values in one transaction, then names.
 * A new email address is mailed a code, which the person enters in their profile. Fails by the
 * rules of A4, with `user.details_own` for the name or address of a person known elsewhere, and
 * with `not_found` for numbers and people of other companies.
 */
export async function updateCompanyUser(
  ctx: Ctx,
  userId: number,
  body: Changes,
): Promise<Answer<typeof contract.updateCompanyUser>> {
  await ctx.transaction(async (t) => {
    const member = await lockEditable(t, userId);
    const details = await detailChanges(t, userId, body);
    const log: Audited = { before: { ...details.before }, after: { ...details.after } };
    const note = (key: string, before: unknown, after: unknown) => {
      log.before[key] = before;
      log.after[key] = after;
    };
    let isAccessChanged = false;
    if (body.role !== undefined && (await giveRole(t, member, body.role))) {
      note('role', member.role, body.role);
      isAccessChanged = true;
    }
    if (body.numbers !== undefined && (await limitTo(t, userId, member.number_ids, body.numbers))) {
      note('numbers', member.number_ids, body.numbers);
      isAccessChanged = true;
    }
    for (const c of await setValues(t, entityOf.user, userId, body.eavAttributeValues ?? [], {
      at: 'eavAttributeValues',
    }))
      note(c.field.key, c.before, c.after);
    if (!Object.keys(log.after).length) return;
    await applyDetails(t, userId, details.after);
    await audit(t, 'user.updated', `user:${userId}`, log);
    if (isAccessChanged) await publishAccess(t, userId);
    else await t.publish(contract.companyUserChanged, { companyId: t.companyId, userId });
  });
  // People are read outside of the company's transaction, so only after the commit.
  return ctx.transaction((t) => getCompanyUser(t, userId));
}

/** Names and address that differ. Fails with `user.details_own` for those of a person elsewhere. */
async function detailChanges(ctx: TxCtx, userId: number, body: Changes): Promise<Audited> {
  const { first_name, last_name, email } = body;
  const person = mustBe(await personById(ctx.db.unscoped, userId), 'a member’s person');
  const wanted = Object.entries({ first_name, last_name, email: email?.trim() }).filter(
    ([key, value]) => {
      const now = person[key as 'email'];
      return (
        value !== undefined &&
        (key === 'email' ? value.toLowerCase() !== now.toLowerCase() : value !== now)
      );
    },
  );
  if (!wanted.length) return { before: {}, after: {} };
  // One's own address needs the password, which only the profile asks for.
  const isOwn = userId === ctx.actor.userId;
  const mayChange = isOwn
    ? !wanted.some(([key]) => key === 'email')
    : !(await isKnownElsewhere(ctx.db.unscoped, userId, ctx.companyId));
  if (!mayChange) fail('user.details_own');
  return {
    before: Object.fromEntries(wanted.map(([key]) => [key, person[key as 'email']])),
    after: Object.fromEntries(wanted),
  };
}

async function applyDetails(ctx: TxCtx, userId: number, { email, ...names }: Values) {
  if (Object.keys(names).length)
    await ctx.db.systemTransaction((tx) => patchPerson(tx, userId, names));
  if (typeof email !== 'string') return;
  const person = mustBe(await personById(ctx.db.unscoped, userId), 'a member’s person');
  await startEmailChange(ctx, person, email);
}

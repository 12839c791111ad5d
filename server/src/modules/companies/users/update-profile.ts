import { companies, type Answer, type Body, type users as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import { notFound, invalid } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import {
  confirmEmailChange,
  patchPerson,
  personById,
  presentPerson,
  requirePassword,
  startEmailChange,
} from '../../identity/index.ts';
import { requireZone } from '../write.ts';
import { activeCompaniesOf } from './store.ts';

// The system role: runs before a company is chosen, or creates one.

/**
 * Changes one's own names, time zone and email address. A new address without `code` is mailed a
 * code and needs the current password; with the code it takes effect. `not_found` for others.
 */
export async function updateProfile(
  ctx: Ctx,
  http: Http,
  userId: number,
  body: Body<typeof contract.updateProfile>,
): Promise<Answer<typeof contract.updateProfile>> {
  if (userId !== ctx.actor.userId) notFound();
  const person = (await personById(ctx.db.unscoped, userId)) ?? notFound();
  const { first_name, last_name, timezone } = body;
  const patch = {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(timezone !== undefined && { timezone: timezone === null ? null : requireZone(timezone) }),
  };
  const email = body.email?.trim();
  if (email !== undefined && email.toLowerCase() !== person.email.toLowerCase()) {
    if (body.code !== undefined) await confirmEmailChange(ctx, person, email, body.code);
    else {
      await requirePassword(ctx, http, body.current_password);
      await startEmailChange(ctx, person, email);
    }
  } else if (body.code !== undefined)
    invalid({ email: 'Enter the new address that the code was mailed to.' });
  return ctx.db.systemTransaction(async (tx) => {
    if (Object.keys(patch).length) {
      await patchPerson(tx, userId, patch);
      await auditPerson(ctx, tx, userId, 'profile.changed', { fields: Object.keys(patch) });
    }
    for (const companyId of await activeCompaniesOf(tx, userId))
      await publishIn(tx, companies.companyUserChanged, { companyId, userId }, { companyId });
    const after = (await personById(tx, userId)) ?? notFound();
    return { data: { ...presentPerson(after), pending_email: after.pending_email } };
  });
}

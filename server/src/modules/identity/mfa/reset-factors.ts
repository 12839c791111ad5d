import { mfa as contract } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { personById } from '../store.ts';
import { revokeSessionsIn } from '../token-sessions.ts';
import { mailNotice } from './factors-changed.ts';
import { deleteAllFactors, syncMfaEnabled } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Removes a person's factors, recovery codes, passkeys and linked providers, signs them out everywhere and emails
 * them. The caller has checked that the actor may, and writes the audit row.
 */
export const resetFactors = (ctx: Ctx, personId: number, byWhom: string): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const person = (await personById(tx, personId)) ?? notFound();
    await deleteAllFactors(tx, personId);
    await syncMfaEnabled(tx, personId, ctx.now);
    await revokeSessionsIn(tx, { personId }, ctx.now);
    await publishIn(tx, contract.factorsChanged, { userId: personId }, { userId: personId });
    await mailNotice(
      ctx,
      tx,
      person,
      `${byWhom} removed your two-step verification, passkeys and other sign-in methods and signed you out everywhere. Sign in with your password, then set them up again.`,
    );
  });

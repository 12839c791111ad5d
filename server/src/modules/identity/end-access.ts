import type { Ctx } from '../../platform/context.ts';
import { deletePendingSignIns } from './mfa/store.ts';
import { lockPerson } from './store.ts';
import { clearSipCredentials } from './store-profile.ts';
import { revokeSessionsIn } from './token-sessions.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Ends everything a person signs in with, when no company is left to them: sessions (and with them
 * sockets and push subscriptions), waiting sign-ins and SIP credentials. Running again changes
 * nothing.
 */
export const endPersonAccess = (ctx: Ctx, personId: number): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    await lockPerson(tx, personId);
    await revokeSessionsIn(tx, { personId }, ctx.now);
    await deletePendingSignIns(tx, personId);
    await clearSipCredentials(tx, personId);
  });

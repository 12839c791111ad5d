import type { Answer, caddy as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { openSession, personById } from '../../identity/index.ts';
import { planOf, profileOf } from '../present.ts';
import { changeAccount, type AccountRow } from '../store.ts';

/** Opens a session of Caddy's own kind: a pair of tokens, without a cookie. */
export async function openCaddySession(
  ctx: Ctx,
  tx: Tx,
  http: Http,
  account: AccountRow,
  device: { name?: string | undefined } | undefined,
): Promise<Answer<typeof contract.resetCaddyPassword>['data']> {
  // Coming back keeps an account that is being deleted.
  await changeAccount(tx, account.company_id, { last_opened_at: ctx.now, erase_at: null });
  const person = mustBe(await personById(tx, account.person_id), 'the person of an account');
  const { token } = await openSession(ctx, tx, http, {
    ...{ personId: person.id, kind: 'caddy', deviceName: device?.name ?? null },
  });
  return {
    accountId: account.company_id,
    token: token.access_token,
    refreshToken: token.refresh_token,
    ...(await planOf(tx, account.company_id)),
    profile: await profileOf(tx, account, person),
  };
}

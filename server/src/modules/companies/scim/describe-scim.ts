import type { Answer, sso as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { countScim, tokenOf } from './store.ts';

/** How an organization's directory is connected, and what it has sent. */
export async function describeScim(
  { settings }: Pick<Ctx, 'settings'>,
  db: Tx,
  organizationId: number,
): Promise<Answer<typeof contract.getSso>['data']['scim']> {
  const token = await tokenOf(db, organizationId);
  return {
    url: `${settings.publicUrl}/scim/v2`,
    made_at: token?.created_at.toISOString() ?? null,
    last_used_at: token?.last_used_at?.toISOString() ?? null,
    ...(await countScim(db, organizationId)),
  };
}

import type { Answer, sso as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import { auditEverywhere, changeOrganization } from '../organizations/in-organization.ts';
import { mailAdministrators } from '../sso/mail-administrators.ts';
import { deleteToken, putToken, tokenOf } from './store.ts';

/** Makes the token of an organization's directory, in place of the one before. It is shown once. */
export async function makeScimToken(ctx: Ctx): Promise<Answer<typeof contract.makeScimToken>> {
  const token = randomToken('tlsc');
  await changeOrganization(ctx, async (tx, organization) => {
    const before = await tokenOf(tx, organization.id);
    await putToken(tx, organization.id, hashToken(token), ctx.now);
    const subject = `organization:${organization.id}`;
    await auditEverywhere(ctx, tx, before ? 'scim.token_replaced' : 'scim.token_made', subject);
    await mailAdministrators(ctx, tx, organization, {
      key: `scim:${organization.id}:${ctx.now.getTime()}`,
      subject: `A directory can change the people of ${organization.name}`,
      text: `${ctx.actor.name} made a token with which a directory adds, changes and deactivates people of ${organization.name}. If you didn’t expect this, revoke it:`,
    });
  });
  return { data: { token } };
}

/** Revokes the token. Fails with `scim.no_token`. */
export const revokeScimToken = (ctx: Ctx): Promise<void> =>
  changeOrganization(ctx, async (tx, { id }) => {
    if (!(await deleteToken(tx, id))) fail('scim.no_token');
    await auditEverywhere(ctx, tx, 'scim.token_revoked', `organization:${id}`);
  });

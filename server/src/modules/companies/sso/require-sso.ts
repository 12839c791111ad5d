import type { Body, sso as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { auditEverywhere, changeOrganization } from '../organizations/in-organization.ts';
import { getSso } from './connection.ts';
import { describeOnly, followRequirement } from './describe-only.ts';
import { mailAdministrators } from './mail-administrators.ts';
import { connectionOf } from './store.ts';
import { setRequired } from './store-only.ts';

/**
 * Lets people with an address at the proven domains sign in through the provider alone, or choose
 * again. Open sockets follow at once. Fails with what `describeOnly` says.
 */
export async function requireSso(ctx: Ctx, { required }: Body<typeof contract.requireSso>) {
  await changeOrganization(ctx, async (tx, organization) => {
    const { id, name } = organization;
    const connection = (await connectionOf(tx, id)) ?? fail('sso.not_set_up');
    if ((connection.required_at !== null) === required) return;
    const { problem } = await describeOnly(ctx, tx, id);
    if (required && problem) fail(`sso.${problem}`);
    await setRequired(tx, id, required ? ctx.now : null);
    await auditEverywhere(
      ctx,
      tx,
      required ? 'sso.required' : 'sso.optional',
      `organization:${id}`,
    );
    await mailAdministrators(ctx, tx, organization, {
      key: `sso:${id}:required:${ctx.now.getTime()}`,
      subject: required
        ? `${name} lets people in only through single sign-on`
        : `${name} no longer asks for single sign-on`,
      text: required
        ? `${ctx.actor.name} turned it on. People with an address at the organization’s domains no longer get in by password, passkey or another provider. Owners with a password and two-step verification still get in by both:`
        : `${ctx.actor.name} turned it off. People also get in by password, passkey or another provider again:`,
    });
    await followRequirement(tx, id);
  });
  return getSso(ctx);
}

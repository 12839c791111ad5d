import type { Body, sso as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { auditEverywhere, changeOrganization } from '../organizations/in-organization.ts';
import { accountsOf } from '../organizations/store.ts';
import { numbersOf } from '../store.ts';
import { getSso } from './connection.ts';
import { accessRules, putAccessRules } from './store-sign-in.ts';

/** Replaces the rules of access. Each names a company of the organization, and numbers of it. */
export async function saveSsoAccess(ctx: Ctx, { rules }: Body<typeof contract.saveSsoAccess>) {
  await changeOrganization(ctx, async (tx, { id }) => {
    const companies = new Set((await accountsOf(tx, id)).map((company) => company.id));
    for (const [at, rule] of rules.entries()) {
      if (!companies.has(rule.company_id))
        invalid({ [`rules.${at}.company_id`]: 'Choose a company of your organization.' });
      if (!rule.number_ids.length) continue;
      const numbers = new Set((await numbersOf(tx, rule.company_id)).map((number) => number.id));
      if (!rule.number_ids.every((number) => numbers.has(number)))
        invalid({ [`rules.${at}.number_ids`]: 'Choose numbers of this company.' });
    }
    const before = await accessRules(tx, id);
    const after = rules.map(({ group, ...rule }) => ({ group_name: group, ...rule }));
    await putAccessRules(tx, id, after);
    await auditEverywhere(ctx, tx, 'sso.access_changed', `organization:${id}`, { before, after });
  });
  return getSso(ctx);
}

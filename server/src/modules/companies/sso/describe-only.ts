import type { Answer, sso as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { ssoOrganizationOf } from '../../identity/index.ts';
import { publishPermissions } from '../organizations/in-organization.ts';
import { domainOf } from './rules.ts';
import { connectionOf, domainsOf } from './store.ts';
import { ownersOf, peopleAt } from './store-only.ts';

type Only = Answer<typeof contract.getSso>['data']['only'];

/** What signing in through the provider alone takes in an organization, and whom it concerns. */
export async function describeOnly(ctx: Ctx, db: Tx, organizationId: number): Promise<Only> {
  const connection = await connectionOf(db, organizationId);
  const domains = await provenDomains(db, organizationId);
  const owners: Only['owners'] = (await ownersOf(db, organizationId)).map((owner) => ({
    name: owner.name,
    gets_in: !domains.includes(domainOf(owner.email))
      ? 'address'
      : owner.has_both
        ? 'factor'
        : 'no',
  }));
  const problem = async (): Promise<Only['problem']> => {
    if (!connection) return 'not_set_up';
    if (!domains.length) return 'no_domain';
    if (!connection.used_at) return 'untried';
    if (owners.every((owner) => owner.gets_in === 'no')) return 'no_door';
    return (await locksOut(ctx, db, organizationId, domains)) ? 'not_in_it' : null;
  };
  return {
    required_at: connection?.required_at?.toISOString() ?? null,
    used_at: connection?.used_at?.toISOString() ?? null,
    people: domains.length ? (await peopleAt(db, organizationId, domains)).length : 0,
    owners,
    problem: await problem(),
  };
}

const provenDomains = async (db: Tx, organizationId: number): Promise<string[]> =>
  (await domainsOf(db, organizationId)).flatMap((d) => (d.proven_at ? [d.domain] : []));

/** Whether the actor's own session would be kept out. */
async function locksOut(
  { actor }: Pick<Ctx, 'actor'>,
  db: Tx,
  organizationId: number,
  domains: readonly string[],
): Promise<boolean> {
  if (!domains.includes(domainOf(actor.email)) || actor.adminMode) return false;
  return (await ssoOrganizationOf(db, actor.sessionId)) !== organizationId;
}

/** The sockets of an organization's people follow when what it asks of them has changed. */
export async function followRequirement(
  tx: Tx,
  organizationId: number,
  domains?: readonly string[],
): Promise<void> {
  const all = domains ?? (await provenDomains(tx, organizationId));
  await publishPermissions(tx, await peopleAt(tx, organizationId, all));
}

import {
  companies,
  roleRank,
  type Answer,
  type EffectiveRole,
  type invitations,
  type users,
} from '#contract';
import type { TestApp, TestPerson } from './test-app.ts';
import { signInAgain, type Act, type World } from './administrative-acts.ts';

/** What everybody may do at one moment, as the API tells them, and who owns what. */
export interface Rights {
  /** By person and company: the rank of their role; 0: no access. */
  rank(person: TestPerson, companyId: number): number;
  runs(person: TestPerson, organizationId: number | null): boolean;
  companyIds: readonly number[];
  organizationIds: readonly number[];
  organizationOf(companyId: number): number | null;
  ownerOf(companyId: number): number | null;
}

/** Asks everybody what they may do. People whose sessions ended sign in again. */
export async function rightsOfEverybody(
  app: TestApp,
  people: readonly TestPerson[],
): Promise<Rights> {
  const ranks = new Map<string, number>();
  const runs = new Set<string>();
  const ask = async (person: TestPerson): Promise<void> => {
    let me = await app.as(person).request(companies.getUser);
    if (me.status === 401) {
      await signInAgain(app, person);
      me = await app.as(person).request(companies.getUser);
    }
    for (const c of me.body.data.companies)
      ranks.set(`${person.id}:${c.id}`, roleRank[c.role as EffectiveRole]);
    for (const o of me.body.data.organizations) if (o.is_admin) runs.add(`${person.id}:${o.id}`);
  };
  await Promise.all(people.map(ask));
  const { rows } = await app.services.db.pool.query<{
    id: string;
    organization_id: string | null;
    owner: string | null;
  }>(`select c.id, c.organization_id, m.user_id owner from company c
      left join membership m on m.company_id = c.id and m.role = 'owner'`);
  const of = new Map(rows.map((row) => [Number(row.id), row]));
  const organizations = await app.services.db.pool.query<{ id: string }>(
    'select id from organization',
  );
  return {
    rank: (person, companyId) => ranks.get(`${person.id}:${companyId}`) ?? 0,
    runs: (person, organizationId) => runs.has(`${person.id}:${organizationId}`),
    companyIds: [...of.keys()],
    organizationIds: organizations.rows.map(({ id }) => Number(id)),
    organizationOf: (id) => Number(of.get(id)?.organization_id ?? 0) || null,
    ownerOf: (id) => Number(of.get(id)?.owner ?? 0) || null,
  };
}

/** Something that was promised before and takes effect with an acceptance. */
interface Offer {
  to: string;
  companyIds: readonly number[];
  rank: number;
  organizationId: number | null;
}
/** What was offered to people, and what owners agreed to: the new owner by company. */
export interface Promises {
  offers: Offer[];
  consents: Map<number, number>;
}

/**
 * Remembers what a step that succeeded offered or agreed to. Returns the faults of an offer that its
 * sender couldn't make.
 */
export function promise(w: World, act: Act, before: Rights, promises: Promises): string[] {
  const { by, name } = act;
  const isStaff = by.role === 'staff';
  if (name === 'invite' && act.answer.status === 201) {
    const { data } = act.answer.body as Answer<typeof invitations.invitePerson>;
    const companyIds = data.companies.map(({ id }) => id);
    const organizationId = before.organizationOf(companyIds[0] ?? 0);
    const rank = roleRank[data.role];
    promises.offers.push({
      ...{ to: data.email, companyIds, rank },
      organizationId: data.is_org_administrator ? organizationId : null,
    });
    const isAbove =
      companyIds.some((c) => before.rank(by, c) < Math.max(rank, ADMINISTRATOR)) ||
      (data.is_org_administrator && !before.runs(by, organizationId));
    if (isAbove && !isStaff) return [`offered above: ${by.email} to ${data.email}`];
  }
  const isTransfer = ['startTransfer', 'confirmTransfer', 'cancelTransfer'].includes(name);
  if (isTransfer) promises.consents.delete(w.companyId);
  if (isTransfer && name !== 'cancelTransfer' && before.ownerOf(w.companyId) === by.id) {
    const { data } = act.answer.body as Answer<typeof users.confirmOwnershipTransfer>;
    promises.consents.set(w.companyId, data.to.id);
  }
  return [];
}

const STAFF = 5;
const ADMINISTRATOR = 3;

/**
 * What nobody above gave or took, each as a sentence; none: all is well. Written from the rules (A4
 * and A30), not from the code.
 */
export function faultsOf({
  before,
  after,
  act,
  people,
  offers,
  consents,
}: {
  before: Rights;
  after: Rights;
  act: Act;
  people: readonly TestPerson[];
  offers: readonly Offer[];
  consents: ReadonlyMap<number, number>;
}): string[] {
  const faults: string[] = [];
  const { by, name } = act;
  const isStaff = by.role === 'staff';
  const authority = (companyId: number) => (isStaff ? STAFF : before.rank(by, companyId));
  const isNew = (companyId: number) => !before.companyIds.includes(companyId);

  /** Whether this gain in a company came from someone who may give it. */
  const isGiven = (p: TestPerson, c: number): boolean => {
    const rank = after.rank(p, c);
    if (isNew(c)) return after.ownerOf(c) === by.id;
    const organization = after.organizationOf(c);
    const isOwnersAct = before.ownerOf(c) === by.id;
    if (before.organizationOf(c) !== organization && organization !== null) return isOwnersAct;
    if (name === 'leave') return isOwnersAct;
    if (name === 'acceptTransfer') return p.id === by.id && consents.get(c) === p.id;
    const isByOrganization = after.runs(p, organization) && !before.runs(p, organization);
    if (name === 'accept')
      return (
        p.id === by.id &&
        offers.some(
          (o) =>
            o.to === p.email &&
            (isByOrganization
              ? o.organizationId === organization
              : o.companyIds.includes(c) && o.rank >= rank),
        )
      );
    // An own company that was closed comes back with its status.
    if (rank === 4 && !after.runs(p, organization) && before.ownerOf(c) !== p.id) return false;
    if (isByOrganization) return isStaff || before.runs(by, organization);
    const opensCompany = name === 'status' && (isStaff || before.runs(by, organization));
    return opensCompany || (p.id !== by.id && authority(c) >= Math.max(rank, ADMINISTRATOR));
  };
  /** Whether this loss came from someone at least as high, or from the person. */
  const isTaken = (p: TestPerson, c: number): boolean =>
    p.id === by.id ||
    name === 'acceptTransfer' ||
    before.ownerOf(c) === by.id ||
    isStaff ||
    before.runs(by, before.organizationOf(c)) ||
    authority(c) >= before.rank(p, c);

  // Its administrators get every right there, so this alone is a rise.
  for (const c of before.companyIds) {
    const [was, is] = [before.organizationOf(c), after.organizationOf(c)];
    if (is !== null && is !== was && before.ownerOf(c) !== by.id)
      faults.push(`risen: ${name} by ${by.email} put company ${c} under organization ${is}`);
  }
  for (const p of people) {
    for (const c of after.companyIds) {
      const [was, is] = [before.rank(p, c), after.rank(p, c)];
      const what = `${name} by ${by.email}: ${p.email} in company ${c}: ${was} → ${is}`;
      if (is > was && !isGiven(p, c)) faults.push(`risen: ${what}`);
      if (is < was && !isTaken(p, c)) faults.push(`thrown out: ${what}`);
    }
    for (const o of after.organizationIds) {
      if (!after.runs(p, o) || before.runs(p, o)) continue;
      const isGivenHere =
        (name === 'createOrganization' && p.id === by.id && !before.organizationIds.includes(o)) ||
        (name === 'accept' &&
          p.id === by.id &&
          offers.some((one) => one.to === p.email && one.organizationId === o)) ||
        (p.id !== by.id && (isStaff || before.runs(by, o)));
      if (!isGivenHere) faults.push(`risen: ${name} by ${by.email}: ${p.email} runs ${o}`);
    }
  }
  return faults;
}

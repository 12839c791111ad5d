import { expect, test } from 'vitest';
import { organizations } from '#contract';
import {
  acts,
  concernsOrganizations,
  oneOf,
  seeded,
  type Act,
  type World,
} from './support/administrative-acts.ts';
import { createOrganizationAdmin } from './support/fixture-organizations.ts';
import {
  faultsOf,
  promise,
  rightsOfEverybody,
  type Promises,
  type Rights,
} from './support/rights-of-everybody.ts';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/**
 * Random histories of administrative calls by owners, administrators, users and platform staff of
 * two organizations: nobody gains a right that nobody above them gave, and nobody is thrown out by
 * someone below them. `RISE_SEED` runs other histories, `RISE_HISTORIES` more of them.
 */
const histories = Number(process.env['RISE_HISTORIES'] ?? 8);
const seed = Number(process.env['RISE_SEED'] ?? 27);
const STEPS = 100;

const app = await createTestApp({ env: { SIGN_INS_PER_MINUTE: '100000' } });

async function createWorld(random: () => number): Promise<World> {
  const world: World = {
    app,
    people: [],
    companyIds: [],
    organizationIds: [],
    invitations: [],
    near: { companyIds: [], organizationIds: [] },
    companyId: 0,
    isFollowing: false,
    random,
  };
  for (const count of [2, 1]) {
    const owners: TestPerson[] = [];
    for (let n = 0; n < count; n++) {
      const { company, owner } = await app.createCompany();
      owners.push(owner);
      world.companyIds.push(company.id);
      for (const role of ['administrator', 'user'] as const)
        world.people.push(await app.createPerson(company.id, role));
    }
    const [first] = owners;
    const made = await app.as(first!).request(organizations.createOrganization, {
      body: { name: 'Group', companyIds: [first!.companyId] },
    });
    world.organizationIds.push(made.body.data.id);
    const runsIt = await createOrganizationAdmin(app, made.body.data.id, first!.companyId);
    world.people.push(...owners, runsIt);
  }
  const { company, owner } = await app.createCompany();
  world.companyIds.push(company.id);
  const staff = await app.createStaff();
  world.people.push(owner, await app.createPerson(company.id, 'administrator'), staff);
  return world;
}

/** A step that follows from the one before: who is meant to take it. */
interface Step {
  name: string;
  by: TestPerson;
  about: TestPerson;
  companyId?: number;
}

/** The next step: mostly one that follows from another or has a chance, as the rest is refused. */
function nextStep(w: World, rights: Rights, names: readonly string[], follows: Step[]): Step {
  const follow = w.random() < 0.7 ? follows.pop() : undefined;
  const by = follow?.by ?? oneOf(w, w.people);
  const isStaff = by.role === 'staff';
  w.isFollowing = follow !== undefined;
  w.near = {
    companyIds: w.companyIds.filter((id) => isStaff || rights.rank(by, id) >= 3),
    organizationIds: w.organizationIds.filter((id) => isStaff || rights.runs(by, id)),
  };
  const name = follow?.name ?? oneOf(w, names);
  const isHopeless = concernsOrganizations.has(name)
    ? !w.near.organizationIds.length
    : !w.near.companyIds.length && !personal.has(name);
  if (!follow && isHopeless && w.random() < 0.85) return nextStep(w, rights, names, follows);
  const companyId = follow?.companyId ?? (w.near.companyIds.length && oneOf(w, w.near.companyIds));
  if (companyId) w.near.companyIds = [companyId];
  const needed = name === 'startTransfer' ? 3 : 1;
  const there = w.people.filter((p) => p !== by && rights.rank(p, companyId || 0) >= needed);
  const outside = w.people.filter((p) => !rights.rank(p, companyId || 0));
  const few = name === 'invite' ? outside : there;
  const about = few.length && w.random() < 0.7 ? oneOf(w, few) : oneOf(w, w.people);
  return { name, by, about: follow?.about ?? about };
}
const waysUp = ['startTransfer', 'invite', 'changeRole', 'attach', 'createOrganization'];
const personal = new Set(['accept', 'leave', 'acceptTransfer']);

/** What somebody would do next. An attacker makes an organization and takes companies into it. */
function followsOf(w: World, { name, by, about }: Step, rights: Rights): Step[] {
  const [companyId = 0] = w.near.companyIds;
  const owner = w.people.find((p) => p.id === rights.ownerOf(companyId));
  const step = (next: string, who = by): Step => ({ name: next, by: who, about, companyId });
  if (name === 'createCompany') return [step('createOrganization')];
  if (name === 'createOrganization') return [step('addOrganizationAdmin'), step('attach')];
  if (name === 'invite')
    return [step('accept', about), ...(w.random() < 0.3 ? [step('resend')] : [])];
  if (name === 'startTransfer') {
    const asks = step('acceptTransfer', about);
    // Without the owner's agreement, the accomplice tries all the same.
    if (owner !== by) return [step('confirmTransfer', owner), asks];
    return w.random() < 0.5 ? [step('cancelTransfer')] : [asks];
  }
  return [];
}

const done: Record<string, number> = {};

test.each(Array.from({ length: histories }, (_, n) => seed * 1000 + n))(
  'a random administrative history never raises anybody (%i)',
  async (ownSeed) => {
    const w = await createWorld(seeded(ownSeed));
    // The ways up are tried more often than the ways down.
    const names = [...Object.keys(acts), ...waysUp, ...waysUp];
    const promises: Promises = { offers: [], consents: new Map() };
    const follows: Step[] = [];
    const history: string[] = [];
    let before = await rightsOfEverybody(app, w.people);
    for (let n = 0; n < STEPS; n++) {
      const { name, by, about } = nextStep(w, before, names, follows);
      // Few enough that the steps meet each other.
      if (name === 'createCompany' && w.companyIds.length > 7) continue;
      const answer = await acts[name]!(w, by, about);
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
      const isDone = answer.status < 300;
      // What was refused changes nothing; asking everybody each time would take most of the run.
      if (!isDone && n < STEPS - 1) continue;
      if (isDone) done[name] = (done[name] ?? 0) + 1;
      history.push(`${name} by ${by.email} about ${about.email}: ${answer.status}`);
      const after = await rightsOfEverybody(app, w.people);
      const act: Act = { name, by, about, answer };
      const faults = [
        ...(isDone ? promise(w, act, before, promises) : []),
        ...faultsOf({ before, after, act, people: w.people, ...promises }),
      ];
      expect(faults, history.slice(-12).join('\n')).toEqual([]);
      follows.push(...(isDone ? followsOf(w, { name, by, about }, after) : []));
      before = after;
    }
  },
);

test('the histories really did what they try', () => {
  expect(Object.keys(acts).filter((name) => !done[name])).toEqual([]);
});

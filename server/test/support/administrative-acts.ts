import {
  companies,
  companyRoles,
  identity,
  invitations,
  organizations,
  users,
  type CompanyRole,
} from '#contract';
import { bulkRoles } from '#contract/companies/organizations/rules';
import { invitedRoles } from '#contract/companies/invitations/rules';
import type { TestApp, TestPerson, TestResponse } from './test-app.ts';
import { tokenOf } from './token-of.ts';

const PASSWORD = 'trunkline-demo';

/** Numbers from a seed, so that a history can be run again (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A link that was mailed, or a company or organization that was made: later steps use it. */
export interface World {
  app: TestApp;
  people: TestPerson[];
  companyIds: number[];
  organizationIds: number[];
  invitations: { companyId: number; id: number; email: string }[];
  /** Where the one who acts has something to say: mostly chosen, as the rest is only refused. */
  near: { companyIds: number[]; organizationIds: number[] };
  /** The step follows from an earlier one, so it goes exactly there. */
  isFollowing: boolean;
  /** The company of the last call. */
  companyId: number;
  random: () => number;
}

/** One administrative call: what it was, and what it answered. */
export interface Act {
  name: string;
  by: TestPerson;
  /** The person it is about; absent: nobody in particular. */
  about?: TestPerson;
  answer: TestResponse<unknown>;
}
type Doing = (w: World, by: TestPerson, about: TestPerson) => Promise<TestResponse<unknown>>;

/** One of a list, by the history’s random numbers. */
export const oneOf = <T>(w: World, list: readonly T[]): T =>
  list[Math.floor(w.random() * list.length)]!;
const chance = (w: World, share: number): boolean => w.random() < share;
const someOf = <T>(w: World, list: readonly T[]): T[] => list.filter(() => chance(w, 0.4));

/** Platform staff act in admin mode. */
const as = (w: World, by: TestPerson) => {
  const client = w.app.as(by);
  const headers: Record<string, string> = by.role === 'staff' ? { isadmin: '1' } : {};
  const request: typeof client.request = (e, input) =>
    client.request(e, { ...input, headers } as typeof input);
  return { request };
};

const made = (list: number[], answer: TestResponse<{ data: { id: number } }>) => {
  if (answer.status === 201) list.push(answer.body.data.id);
  return answer;
};

const near = (w: World, own: number[], all: number[]): number =>
  oneOf(w, own.length && chance(w, w.isFollowing ? 1 : 0.8) ? own : all);
const anyCompany = (w: World): number => near(w, w.near.companyIds, w.companyIds);
const inCompany = (w: World) => {
  w.companyId = anyCompany(w);
  return { companyId: w.companyId };
};
const anyOrganization = (w: World): number => near(w, w.near.organizationIds, w.organizationIds);
const anyRole = (w: World): CompanyRole => oneOf(w, companyRoles);

/** Those that are refused to everybody who runs no organization. */
export const concernsOrganizations: ReadonlySet<string> = new Set([
  'attach',
  'detach',
  'status',
  'addOrganizationAdmin',
  'removeOrganizationAdmin',
  'deleteOrganization',
  'bulkRole',
]);

/** Every call with which people get, give or lose access. */
export const acts: Record<string, Doing> = {
  createCompany: async (w, by) =>
    made(
      w.companyIds,
      await as(w, by).request(companies.createCompany, {
        body: {
          company_info: {
            name: 'Made',
            ...(chance(w, 0.5) ? { organization_id: anyOrganization(w) } : {}),
          },
        },
      }),
    ),
  createOrganization: async (w, by) =>
    made(
      w.organizationIds,
      await as(w, by).request(organizations.createOrganization, {
        body: { name: 'Made', companyIds: chance(w, 0.5) ? [anyCompany(w)] : [] },
      }),
    ),
  attach: (w, by) =>
    as(w, by).request(organizations.attachOrganizationCompany, {
      params: { id: anyOrganization(w) },
      body: inCompany(w),
    }),
  detach: (w, by) =>
    as(w, by).request(organizations.detachOrganizationCompany, {
      params: { id: anyOrganization(w), ...inCompany(w) },
    }),
  leave: (w, by) => as(w, by).request(organizations.leaveOrganization, { params: inCompany(w) }),
  status: (w, by) =>
    as(w, by).request(organizations.updateAccountStatus, {
      params: { id: anyOrganization(w) },
      body: { ...inCompany(w), status: oneOf(w, [0, 0, 1, 2] as const) },
    }),
  addOrganizationAdmin: (w, by, about) =>
    as(w, by).request(organizations.addOrganizationAdmin, {
      params: { id: anyOrganization(w) },
      body: { userId: about.id },
    }),
  removeOrganizationAdmin: (w, by, about) =>
    as(w, by).request(organizations.removeOrganizationAdmin, {
      params: { id: anyOrganization(w), userId: about.id },
    }),
  deleteOrganization: (w, by) =>
    as(w, by).request(organizations.deleteOrganization, {
      params: { id: anyOrganization(w) },
    }),
  bulkRole: (w, by, about) =>
    as(w, by).request(organizations.updateUserAccounts, {
      params: { organizationId: anyOrganization(w), userId: about.id },
      body: {
        role: oneOf(w, bulkRoles),
        accountIds: [anyCompany(w), ...someOf(w, w.companyIds)],
      },
    }),
  changeRole: (w, by, about) =>
    as(w, by).request(companies.updateCompanyUser, {
      params: { ...inCompany(w), userId: about.id },
      body: { role: anyRole(w) },
    }),
  deactivate: (w, by, about) =>
    as(w, by).request(users.deactivateUser, { body: { ...inCompany(w), userId: about.id } }),
  activate: (w, by, about) =>
    as(w, by).request(users.activateUser, { body: { ...inCompany(w), userId: about.id } }),
  remove: (w, by, about) =>
    as(w, by).request(users.deleteCompanyUser, { params: { ...inCompany(w), userId: about.id } }),
  startTransfer: (w, by, about) =>
    as(w, by).request(users.startOwnershipTransfer, {
      params: inCompany(w),
      body: { user_id: about.id, password: PASSWORD },
    }),
  confirmTransfer: (w, by) =>
    as(w, by).request(users.confirmOwnershipTransfer, { params: inCompany(w) }),
  acceptTransfer: (w, by) =>
    as(w, by).request(users.acceptOwnershipTransfer, { params: inCompany(w) }),
  cancelTransfer: (w, by) =>
    as(w, by).request(users.cancelOwnershipTransfer, { params: inCompany(w) }),
  invite: async (w, by, about) => {
    const params = inCompany(w);
    const answer = await as(w, by).request(invitations.invitePerson, {
      params,
      body: {
        email: about.email,
        role: oneOf(w, invitedRoles),
        ...(chance(w, 0.5) ? { is_org_administrator: true } : {}),
        ...(chance(w, 0.3) ? { businessUnitCompanyIds: someOf(w, w.companyIds) } : {}),
      },
    });
    if (answer.status === 201)
      w.invitations.push({ ...params, id: answer.body.data.id, email: about.email });
    return answer;
  },
  resend: (w, by) => {
    const it = w.invitations.length ? oneOf(w, w.invitations) : { companyId: 1, id: 1 };
    return as(w, by).request(invitations.resendInvitation, {
      params: { companyId: it.companyId, invitationId: it.id },
    });
  },
  accept: async (w, by) => {
    const mails = await w.app.mails(by.email);
    const tokens = mails.flatMap(({ text }) => /\btli_[\w-]+/.exec(text)?.[0] ?? []);
    return as(w, by).request(invitations.acceptInvitation, {
      params: { token: oneOf(w, tokens.slice(-2)) ?? 'tli_nothing_at_all' },
      body: {},
    });
  },
};

/** Signs a person in again whose sessions ended. */
export async function signInAgain(app: TestApp, person: TestPerson): Promise<void> {
  const answer = await app.as(null).request(identity.login, {
    body: { email: person.email, password: PASSWORD, admin: person.role === 'staff' },
  });
  person.token = tokenOf(answer.body).access_token;
}

import {
  grantOf,
  highestRole,
  type ApiErrorCode,
  type EffectiveRole,
  type Grant,
  type PermissionKey,
} from '#contract';
import { fail } from './errors.ts';

/** One stay of platform staff in admin mode. */
export interface AdminEntry {
  id: number;
  staffId: number;
  reason: string;
  endsAt: Date;
  /** Changes were allowed by the second step. */
  mayWrite: boolean;
  /** The companies that were opened in it, each with an audit row. */
  openedCompanyIds: readonly number[];
  /** The actor is another person, as whom the staff member signed in. */
  isRemote: boolean;
}

/** Who acts. The system acts for jobs and subscribers, with every grant. */
export interface Actor {
  /** `directory`: that of an organization, which keeps its people up to date. */
  kind: 'user' | 'key' | 'system' | 'directory';
  userId: number;
  name: string;
  email: string;
  sessionId: number;
  staff: boolean;
  /** Platform staff acting across companies, always logged. */
  adminMode: boolean;
  /** The admin mode that is behind this: the staff member's own, or that of a remote login. */
  admin?: AdminEntry;
  /** Someone in Caddy: their account, the only company they act in. Absent: everyone else. */
  accountId?: number;
  /** What the token of a program is limited to (`scopeAllows`); absent: a person's own session. */
  scopes?: readonly string[];
  /** An organization that lets them in only through its own provider, which this session did not come by. */
  keptOut?: { organizationId: number; by: AccessBlock };
  /** The companies that they may act in. Ask `accessTo`, which knows admin mode. */
  memberships: readonly Access[];
}
export const systemActor: Actor = {
  kind: 'system',
  userId: 0,
  name: 'System',
  email: '',
  sessionId: 0,
  staff: false,
  adminMode: false,
  memberships: [],
};

/**
 * What someone may do in one company: the union of their own role there and of their organization's,
 * within the company's settings. Every door (requests, sockets, files, exports, jobs, phones) asks
 * the functions below about it, so that none decides by itself.
 */
export interface Access {
  companyId: number;
  /** All that they act in at once; never empty. */
  roles: readonly EffectiveRole[];
  /** The highest of `roles`, for ranks and for what screens call them. Rights come from `roles`. */
  role: EffectiveRole;
  /** Numbers that their own role is limited to; empty: all (A4). */
  numberIds: readonly number[];
  switches: Readonly<Record<string, unknown>>;
  /** Why a rule of the company keeps them out for now: its requests fail with this. */
  blockedBy?: AccessBlock | undefined;
}
export interface AccessBlock {
  code: ApiErrorCode;
  facts?: Readonly<Record<string, string | number>>;
}

/** The access of someone who acts in these roles, of which at least one is given. */
export const accessIn = (found: Omit<Access, 'role'>): Access => ({
  ...found,
  role: highestRole(found.roles),
});

/** What the actor may do in a company; null: it isn't theirs. Staff in admin mode may do all. */
export function accessTo(actor: Actor, companyId: number): Access | null {
  const own = actor.memberships.find((m) => m.companyId === companyId) ?? null;
  if (!actor.staff || !actor.adminMode) return own;
  return accessIn({
    companyId,
    roles: ['platform'],
    numberIds: [],
    switches: own?.switches ?? {},
  });
}

/** Their scope of a permission there; `none` also while something keeps them out. */
export const grantIn = (access: Access | null, key: PermissionKey): Grant =>
  !access || access.blockedBy ? 'none' : grantOf(access.roles, key, access.switches);

/** @throws ApiError what keeps them out of the company */
export function requireUnblocked({ blockedBy }: Access): void {
  if (blockedBy) fail(blockedBy.code, blockedBy.facts);
}

/**
 * The numbers they are limited to with this grant; null: all. Whoever sees the inbox of some numbers
 * only sees nothing else of the others either.
 */
export function numbersIn(access: Access, grant: Grant): readonly number[] | null {
  const isLimited =
    grant === 'assigned' || grantOf(access.roles, 'inbox.view', access.switches) === 'assigned';
  return isLimited && access.numberIds.length ? access.numberIds : null;
}

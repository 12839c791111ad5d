import type { DateStyle } from '#contract/date-style';
import type { AnyEndpoint } from '#contract/kit';
import { createStore, useStore } from './store.ts';

/** Tokens of POST /sanctum/login (A §3 Session state). `expires_in` in seconds. */
export interface Tokens {
  access_token: string;
  expires_in: number;
  refresh_token?: string | null;
  token_type: string;
}
interface UserCompany {
  id: number;
  name: string;
  slug: string;
  role: string;
  status: number | string;
  organization_id: number | null;
}
/** GET /user (A3). */
export interface CurrentUser {
  id: number;
  email: string;
  name: string;
  first_name?: string;
  last_name?: string;
  timezone: string | null;
  read_whats_new_at: string | null;
  hasBusinessUnits: boolean;
  sip_address: string | null;
  sip_password: string | null;
  sip_user: string | null;
  companies: UserCompany[];
  organizations: { id: number; name: string; is_admin: boolean }[];
  /** Their own companies that an organization deactivated. */
  closed_companies?: { id: number; name: string; organization: string }[];
  is_admin: boolean;
  /** Permissions granted in the selected company, with their scope. */
  permissions: Record<string, 'all' | 'assigned' | 'own'>;
  is_staff?: boolean;
  /** What platform staff are in: their admin mode, or this person's place. */
  support_access?: {
    kind: 'admin' | 'remote';
    staff_name: string;
    reason: string;
    ends_at: string;
    may_write: boolean;
  } | null;
  /** How the selected company writes dates and times. */
  formats?: DateStyle;
  /** The selected company asks for a second factor first. */
  mfa_setup_required?: boolean;
  /** The selected company is suspended until someone else pays. */
  closed_until_paid?: boolean;
  /** The selected company is open only through its organization’s single sign-on. */
  sso_required?: { organization: string; url: string } | null;
  created_at: string;
}
interface SessionState {
  tokens: Tokens | null;
  iapId: string | null;
  /** Platform staff in admin mode: every request carries the isAdmin header. */
  isAdmin: boolean;
  /**
   * Platform staff act as another person, in this tab only. The browser's cookie is their own, so
   * when that has ended the tab asks for nothing more.
   */
  remote: 'running' | 'ended' | null;
  /** An individual's app: the selected company is their own, so all of it is open to them. */
  isOwnAccount: boolean;
  /** Number of sign-ins in this tab. */
  loginNumber: number;
  isCurrentUserStale: boolean;
  selectedCompanyId: number | null;
  user: CurrentUser | null;
  supportEmail: string;
}

const storageKeys = {
  company: 'trunkline.company',
  admin: 'trunkline.admin',
  may: 'trunkline.may',
  remote: 'trunkline.remote',
};
const storage = typeof localStorage === 'undefined' ? null : localStorage;
const tabStorage = typeof sessionStorage === 'undefined' ? null : sessionStorage;
const emptySession = {
  tokens: null,
  iapId: null,
  isAdmin: false,
  isCurrentUserStale: false,
  isOwnAccount: false,
  user: null,
} as const;

/** Its token was in memory only, so after a reload it has ended. */
const wasRemote = tabStorage?.getItem(storageKeys.remote) === '1';

export const session = createStore<SessionState>({
  ...emptySession,
  isAdmin: !wasRemote && storage?.getItem(storageKeys.admin) === '1',
  remote: wasRemote ? 'ended' : null,
  loginNumber: 0,
  selectedCompanyId: Number(storage?.getItem(storageKeys.company)) || null,
  supportEmail: 'support@trunkline.test',
});

let expiryTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Starts a session after sign-in (A §4), clearing the previous one. Tokens are kept in memory only:
 * after a reload or their expiry the HTTP-only session cookie is used.
 */
export function startSession(tokens: Tokens | null, options: { admin?: boolean } = {}): void {
  clearTimeout(expiryTimer);
  session.set((s) => ({
    ...emptySession,
    tokens,
    isAdmin: options.admin ?? false,
    remote: null,
    isCurrentUserStale: true,
    loginNumber: s.loginNumber + 1,
  }));
  if (options.admin) storage?.setItem(storageKeys.admin, '1');
  else storage?.removeItem(storageKeys.admin);
  if (tokens)
    expiryTimer = setTimeout(
      () => session.set({ tokens: null }),
      Math.max(0, Math.min(tokens.expires_in - 30, 86_400)) * 1000,
    );
}

/**
 * Starts a remote login of platform staff: this tab acts as another person in one company. What the
 * browser remembers belongs to the staff member and stays as it is.
 */
export function startRemoteSession(tokens: Tokens, companyId: number): void {
  clearTimeout(expiryTimer);
  tabStorage?.setItem(storageKeys.remote, '1');
  session.set((s) => ({
    ...emptySession,
    tokens,
    remote: 'running',
    selectedCompanyId: companyId,
    isCurrentUserStale: true,
    loginNumber: s.loginNumber + 1,
  }));
  expiryTimer = setTimeout(clearSession, Math.max(0, tokens.expires_in) * 1000);
}

/** This tab belongs to whoever is signed in to the browser again. Load the page anew after it. */
export const forgetRemoteSession = (): void => tabStorage?.removeItem(storageKeys.remote);

/** Whether the tab's platform staff may only read: their admin mode allows no changes. */
export const readsOnly = (): boolean => session.get().user?.support_access?.may_write === false;

/** Clears everything about the person, except the last company, which the next sign-in prefers. */
export function clearSession(): void {
  clearTimeout(expiryTimer);
  if (session.get().remote) {
    session.set({ ...emptySession, remote: 'ended' });
    return;
  }
  storage?.removeItem(storageKeys.admin);
  tabStorage?.removeItem(storageKeys.may);
  session.set({ ...emptySession });
}

/**
 * Selects the company that requests are about, and remembers it in the browser. Null: none, without
 * forgetting the last.
 */
export function selectCompany(id: number | null): void {
  if (id && !session.get().remote) storage?.setItem(storageKeys.company, String(id));
  session.set({ selectedCompanyId: id, isCurrentUserStale: true });
}

/** Sets the user. The selected company must be one of theirs; otherwise their only one, or none. */
export function setUser(user: CurrentUser): void {
  const { selectedCompanyId } = session.get();
  const mine = user.companies.some((c) => c.id === selectedCompanyId);
  // Staff in admin mode can select any company.
  const next =
    mine || (user.is_admin && selectedCompanyId)
      ? selectedCompanyId
      : user.companies.length === 1
        ? (user.companies[0]?.id ?? null)
        : null;
  if (next && next !== selectedCompanyId && !session.get().remote)
    storage?.setItem(storageKeys.company, String(next));
  tabStorage?.setItem(storageKeys.may, Object.keys(user.permissions).join(' '));
  session.set({ user, selectedCompanyId: next, isCurrentUserStale: false });
}
/**
 * Last known permissions of this tab's person, for the navigation while the server is unreachable.
 * The server enforces them.
 */
export const lastPermissions = (): readonly string[] =>
  tabStorage?.getItem(storageKeys.may)?.split(' ') ?? [];

/** A part of the session; the component renders again when that part changes. */
export const useSession = <T>(selector: (state: SessionState) => T): T =>
  useStore(session, selector);
/** The selected company; null before one is selected. */
export const useCompanyId = (): number | null => useSession((s) => s.selectedCompanyId);
/** The signed-in user; null when nobody is signed in or the session isn't read yet. */
export const useUser = (): CurrentUser | null => useSession((s) => s.user);

/**
 * Whether the signed-in person has a permission in the selected company. The server enforces it;
 * screens only hide (A4 rule 7).
 */
export function usePermission(permission: string): boolean {
  return useSession((s) => s.isOwnAccount || permission in (s.user?.permissions ?? {}));
}
/**
 * Whether the signed-in user has a permission in the selected company. For showing only: the server
 * checks each request.
 */
export const hasPermission = (permission: string): boolean =>
  session.get().isOwnAccount || permission in (session.get().user?.permissions ?? {});

/**
 * False when a read of this endpoint would be refused. Only the selected company's permissions are
 * known, so reads of an object or another company count as allowed.
 */
export function canRead(
  { permission, company }: Pick<AnyEndpoint, 'permission' | 'company'>,
  input: { params?: object | undefined; query?: object | undefined },
  { user, isAdmin, isOwnAccount, selectedCompanyId }: SessionState,
): boolean {
  if (permission === 'public' || permission === 'session' || isAdmin || isOwnAccount) return true;
  if (company !== 'given' && company !== 'path') return true;
  const named = { ...input.params, ...input.query } as {
    companyId?: unknown;
    company_id?: unknown;
  };
  const explicit = [named.companyId, named.company_id].find(
    (id) => typeof id === 'number' || /^\d+$/.test(String(id)),
  );
  const isOther = explicit !== undefined && Number(explicit) !== selectedCompanyId;
  return isOther || (user !== null && permission in user.permissions);
}

/** Whether the user can call: SIP address, password and user are all set (A §1, B §6). */
export const canCall = (user: CurrentUser | null): boolean =>
  Boolean(user?.sip_address && user.sip_password && user.sip_user);

/**
 * Scope of a permission in the role matrix (decisions A4). `all`: every number of the company;
 * `assigned`: assigned numbers only (none assigned means all); `own`: own records only. `R` in A4's
 * table is `all` for the view key and `none` for the edit key.
 */
export type Grant = 'all' | 'assigned' | 'own' | 'none';
export const companyRoles = [
  'owner',
  'administrator',
  'billing',
  'reporting',
  'user',
  'deactivated',
] as const;
export type CompanyRole = (typeof companyRoles)[number];
/**
 * Role that permissions are checked with: a company role, an organization's administrator, or
 * platform staff in admin mode.
 */
export type EffectiveRole = CompanyRole | 'org-administrator' | 'platform';

const G: Record<string, Grant> = { '*': 'all', o: 'assigned', s: 'own', '-': 'none' };
/** Columns: owner, administrator, billing, reporting, user, deactivated, org-administrator. */
const rows = {
  'company.view': '* * * * * - *',
  'company.edit': '* * - - - - *',
  'company.brand': '* * - - - - *',
  'company.create': '* * - - - - *',
  'company.delete': '* - - - - - *',
  'ownership.transfer': '* - - - - - *',
  'users.list': '* * - - * - *',
  'users.edit': '* * - - - - *',
  'users.assignOwner': '* - - - - - *',
  'users.assignAdministrator': '* * - - - - *',
  'billing.view': '* * * - - - *',
  'billing.pay': '* - * - - - *',
  'billing.plan': '* - * - - - *',
  'billingContacts.view': '* * * - - - *',
  'billingContacts.edit': '* - * - - - *',
  'numbers.view': '* * - o o - *',
  'numbers.configure': '* * - - o - *',
  'numbers.buy': '* * - - - - *',
  'routing.view': '* * - - * - *',
  'routing.edit': '* * - - - - *',
  'ports.view': '* * - - * - *',
  'ports.edit': '* * - - - - *',
  'marketplace.view': '* * * - - - *',
  'marketplace.edit': '* * - - - - *',
  'dni.view': '* * - o o - *',
  'dni.edit': '* * - - - - *',
  'calls.view': '* * - o o - *',
  'calls.edit': '* * - o o - *',
  'calls.deleteRecording': '* * - - - - *',
  'calls.monitor': '* * - - - - *',
  'analytics.view': '* * - o o - *',
  'exports.make': '* * - o o - *',
  'inbox.view': '* * - - o - *',
  'inbox.send': '* * - - o - *',
  'inbox.delete': '* * - - - - *',
  'contacts.view': '* * - - * - *',
  'contacts.viewPii': '* * - - * - *',
  'contacts.edit': '* * - - * - *',
  'contacts.bulk': '* * - - - - *',
  'campaigns.view': '* * - * o - *',
  'campaigns.draft': '* * - - o - *',
  'campaigns.send': '* * - - o - *',
  'campaigns.approve': '* * - - - - *',
  'blocks.edit': '* * - - o - *',
  'notes.edit': '* * - - o - *',
  'tags.view': '* * - - * - *',
  'tags.edit': '* * - - - - *',
  'fields.view': '* * - - * - *',
  'fields.edit': '* * - - - - *',
  'columnPresets.edit': 's s s s s - s',
  'favourites.edit': 's s s s s - s',
  'apiKeys.own': '* * - s s - *',
  'smsVerification.view': '* * - - * - *',
  'smsVerification.edit': '* * - - - - *',
  'integrations.view': '* * - * * - *',
  'integrations.edit': '* * - - - - *',
  'monitoring.view': '* * * o o - *',
  'monitoring.edit': '* * - - - - *',
  'settings.edit': '* * - - - - *',
  'features.edit': '* * - - - - *',
  'organization.create': '* - - - - - *',
  'organization.edit': '- - - - - - *',
  'support.ticket': '* * * * * - *',
  'calling.use': '* * - - o - *',
  'audit.view': '* * s - s - *',
  'company.export': '* * - - - - *',
  'person.erase': '* - - - - - *',
  // Only platform staff in admin mode, who have every permission.
  'platform.operate': '- - - - - - -',
} as const;

export type PermissionKey = keyof typeof rows;
export const permissionKeys = Object.keys(rows) as PermissionKey[];
const columns = [
  'owner',
  'administrator',
  'billing',
  'reporting',
  'user',
  'deactivated',
  'org-administrator',
] as const;

const matrix = Object.fromEntries(
  Object.entries(rows).map(([key, cells]) => [
    key,
    Object.fromEntries(cells.split(' ').map((c, i) => [columns[i], G[c]])),
  ]),
) as Record<PermissionKey, Record<(typeof columns)[number], Grant>>;

/**
 * Settings of A4's footnotes: when `setting` has the value `when`, the cell of `role` and `key`
 * becomes `grant`.
 */
const permissionSwitches = [
  {
    setting: 'users_can_configure_numbers',
    fallback: true,
    role: 'user',
    key: 'numbers.configure',
    when: false,
    grant: 'none',
  },
  {
    setting: 'users_can_purchase_numbers',
    fallback: false,
    role: 'user',
    key: 'numbers.buy',
    when: true,
    grant: 'all',
  },
  {
    setting: 'reporting_can_edit_calls',
    fallback: true,
    role: 'reporting',
    key: 'calls.edit',
    when: false,
    grant: 'none',
  },
  {
    setting: 'users_can_export',
    fallback: true,
    role: 'user',
    key: 'exports.make',
    when: false,
    grant: 'none',
  },
  {
    setting: 'mask_contact_details_for_users',
    fallback: false,
    role: 'user',
    key: 'contacts.viewPii',
    when: true,
    grant: 'none',
  },
  {
    setting: 'users_can_bulk_contacts',
    fallback: false,
    role: 'user',
    key: 'contacts.bulk',
    when: true,
    grant: 'all',
  },
] as const satisfies readonly {
  setting: string;
  fallback: boolean;
  role: EffectiveRole;
  key: PermissionKey;
  when: boolean;
  grant: Grant;
}[];

type Switches = Readonly<Record<string, unknown>>;

const grantOfRole = (role: EffectiveRole, key: PermissionKey, switches: Switches): Grant => {
  if (role === 'platform') return 'all';
  const turned = permissionSwitches.find(
    (s) => s.role === role && s.key === key && (switches[s.setting] ?? s.fallback) === s.when,
  );
  return turned?.grant ?? matrix[key][role];
};

/** From the widest to the narrowest. */
const widest = ['all', 'assigned', 'own', 'none'] as const satisfies readonly Grant[];

/**
 * The scope of a permission for someone who acts in these roles at once (their own and that of their
 * organization): the widest that any of them gives, so that no role takes away what another gives.
 * `switches`: the company's settings (absent: defaults). Platform staff have every permission.
 */
export function grantOf(
  roles: EffectiveRole | readonly EffectiveRole[],
  key: PermissionKey,
  switches: Switches = {},
): Grant {
  const given = [roles].flat().map((role) => grantOfRole(role, key, switches));
  return widest.find((grant) => given.includes(grant)) ?? 'none';
}

/** Whether a scope is at least as wide as another. */
export const coversGrant = (held: Grant, needed: Grant): boolean =>
  widest.indexOf(held) <= widest.indexOf(needed);

/** Settings of a company that decide what its people may do, or whether they get in. */
export const accessSettings: readonly string[] = [
  ...new Set(permissionSwitches.map(({ setting }) => setting)),
  'allowed_ip_ranges',
  'require_mfa',
  'session_idle_minutes',
];

/**
 * Areas of the matrix that are about the company itself: its lines, people, contracts, settings. What
 * their endpoints answer is shown as it is; in all others, contact details are masked for people
 * without `contacts.viewPii`.
 */
const companyAreas = new Set<string>([
  'billing',
  'billingContacts',
  'company',
  'features',
  'marketplace',
  'numbers',
  'organization',
  'ownership',
  'platform',
  'ports',
  'routing',
  'settings',
  'smsVerification',
  'support',
  'users',
]);
/** True for permissions whose endpoints show nothing of the people that the company deals with. */
export const isAboutCompany = (permission: string): boolean =>
  companyAreas.has(permission.split('.')[0] ?? '');

/** Rank of a role, since no one may give a role above their own (A4 rule 2). */
export const roleRank: Record<EffectiveRole, number> = {
  deactivated: 0,
  user: 1,
  reporting: 1,
  billing: 2,
  administrator: 3,
  'org-administrator': 4,
  owner: 4,
  platform: 5,
};

/** The highest of the roles that someone acts in; of equal ones the first. */
export const highestRole = (roles: readonly EffectiveRole[]): EffectiveRole =>
  roles.reduce<EffectiveRole>(
    (highest, role) => (roleRank[role] > roleRank[highest] ? role : highest),
    roles[0] ?? 'deactivated',
  );

/** GET /roles (A4). */
export const roleList = [
  {
    id: 'owner',
    label: 'Owner',
    scope: 'company',
    description: 'Everything, including billing and ownership. One per company.',
  },
  {
    id: 'administrator',
    label: 'Administrator',
    scope: 'company',
    description: 'Runs the company: numbers, people, settings. Can see invoices but not pay them.',
  },
  {
    id: 'billing',
    label: 'Billing',
    scope: 'company',
    description: 'Plans, payment and invoices. No access to messages or recordings.',
  },
  {
    id: 'reporting',
    label: 'Reporting',
    scope: 'company',
    description: 'Calls and reports of assigned numbers.',
  },
  {
    id: 'user',
    label: 'User',
    scope: 'company',
    description: 'Answers calls and texts of assigned numbers.',
  },
  {
    id: 'deactivated',
    label: 'Deactivated',
    scope: 'company',
    description: 'Signed out everywhere. History and authorship stay.',
  },
  {
    id: 'org-administrator',
    label: 'Organization administrator',
    scope: 'organization',
    description: 'Administrator in every company of the organization.',
  },
] as const;

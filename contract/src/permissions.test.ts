import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { companyRoles, grantOf, permissionKeys, type PermissionKey } from './permissions.ts';

/** The permissions that a role has at all, by the defaults of a company. */
const heldBy = (role: Parameters<typeof grantOf>[0]): PermissionKey[] =>
  permissionKeys.filter((key) => grantOf(role, key) !== 'none');

test('only these are beyond an administrator: money, ownership, the organization, the installation', () => {
  expect(permissionKeys.filter((key) => !heldBy('administrator').includes(key))).toEqual([
    'company.delete',
    'ownership.transfer',
    'users.assignOwner',
    'billing.pay',
    'billing.plan',
    'billingContacts.edit',
    'organization.create',
    'organization.edit',
    'person.erase',
    'platform.operate',
  ]);
});

test('an owner has all that others of the company have, and running the installation is no one’s', () => {
  for (const role of companyRoles)
    expect(heldBy('owner'), role).toEqual(expect.arrayContaining(heldBy(role)));
  const roles = [...companyRoles, 'org-administrator'] as const;
  expect(roles.filter((role) => heldBy(role).includes('platform.operate'))).toEqual([]);
  expect(heldBy('deactivated')).toEqual([]);
  expect(heldBy('platform')).toEqual(permissionKeys);
});

test('users, reporting and billing change neither people nor the company', () => {
  for (const role of ['user', 'reporting', 'billing'] as const)
    expect(
      heldBy(role).filter((key) =>
        /^(users\.(edit|assign)|company\.(edit|brand|create|delete|export)|settings|features|organization|ownership|audit\.edit|numbers\.buy|person)/.test(
          key,
        ),
      ),
      role,
    ).toEqual([]);
});

test('users and reporting see texts, calls and numbers of their own numbers only', () => {
  for (const role of ['user', 'reporting'] as const)
    for (const area of [
      'inbox.',
      'calls.',
      'numbers.',
      'analytics.',
      'exports.',
      'campaigns.draft',
    ])
      for (const key of permissionKeys.filter((one) => one.startsWith(area)))
        expect(['assigned', 'none'], `${role} ${key}`).toContain(grantOf(role, key));
});

test('several roles at once give the widest, and settings of the company turn single cells', () => {
  expect(grantOf(['user', 'org-administrator'], 'users.edit')).toBe('all');
  expect(grantOf(['user', 'reporting'], 'calls.view')).toBe('assigned');
  expect(grantOf('user', 'numbers.buy', { users_can_purchase_numbers: true })).toBe('all');
  expect(grantOf('user', 'exports.make', { users_can_export: false })).toBe('none');
  expect(grantOf('user', 'contacts.viewPii', { mask_contact_details_for_users: true })).toBe(
    'none',
  );
  expect(grantOf('administrator', 'exports.make', { users_can_export: false })).toBe('all');
});

test('every permission has a label', () => {
  const source = readFileSync(join(import.meta.dirname, 'permission-labels.ts'), 'utf8');
  const labelled = [...source.matchAll(/^      \['([a-zA-Z.]+)', /gm)].map(([, key]) => key);
  // Running the installation is no role’s.
  expect(permissionKeys.filter((key) => !labelled.includes(key))).toEqual(['platform.operate']);
});

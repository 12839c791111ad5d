import type { PermissionKey } from './permissions.ts';

const groups = [
  {
    label: 'Company',
    permissions: [
      ['company.view', 'See the company’s details'],
      ['company.edit', 'Edit the company’s details'],
      ['company.brand', 'Change logo and colors'],
      ['company.create', 'Create companies'],
      ['company.delete', 'Delete the company'],
      ['ownership.transfer', 'Transfer ownership'],
      ['settings.edit', 'Change general settings'],
      ['features.edit', 'Turn features on and off'],
      ['organization.create', 'Create an organization'],
      ['organization.edit', 'Manage the organization'],
      ['company.export', 'Export the company’s data'],
      ['person.erase', 'Erase a person’s data'],
      ['audit.view', 'See the audit log'],
      ['support.ticket', 'Contact support'],
    ],
  },
  {
    label: 'People',
    permissions: [
      ['users.list', 'See people'],
      ['users.edit', 'Invite, edit and deactivate people'],
      ['users.assignOwner', 'Choose the next owner'],
      ['users.assignAdministrator', 'Make people administrators or billing'],
      ['apiKeys.own', 'Create API keys'],
    ],
  },
  {
    label: 'Billing',
    permissions: [
      ['billing.view', 'See invoices and usage'],
      ['billing.pay', 'Pay and change the payment method'],
      ['billing.plan', 'Change or cancel the plan'],
      ['billingContacts.view', 'See billing contacts'],
      ['billingContacts.edit', 'Edit billing contacts'],
    ],
  },
  {
    label: 'Numbers',
    permissions: [
      ['numbers.view', 'See numbers'],
      ['numbers.configure', 'Change settings of numbers'],
      ['numbers.buy', 'Buy and release numbers'],
      ['routing.view', 'See schedules, greetings and forwarding'],
      ['routing.edit', 'Edit schedules, greetings and forwarding'],
      ['ports.view', 'See transfers of numbers'],
      ['ports.edit', 'Transfer numbers to us'],
      ['marketplace.view', 'See the marketplace'],
      ['marketplace.edit', 'Offer numbers on the marketplace'],
      ['dni.view', 'See call tracking'],
      ['dni.edit', 'Set up call tracking'],
      ['smsVerification.view', 'See SMS verification'],
      ['smsVerification.edit', 'Submit SMS verification'],
    ],
  },
  {
    label: 'Calls and reports',
    permissions: [
      ['calling.use', 'Take and place calls in the app'],
      ['calls.view', 'See calls, recordings and transcripts'],
      ['calls.edit', 'Tag calls and add notes'],
      ['calls.deleteRecording', 'Delete recordings'],
      ['calls.monitor', 'Listen in on live calls'],
      ['analytics.view', 'See reports'],
      ['favourites.edit', 'Save searches'],
      ['exports.make', 'Export lists'],
    ],
  },
  {
    label: 'Messages and contacts',
    permissions: [
      ['inbox.view', 'Read messages'],
      ['inbox.send', 'Send messages'],
      ['inbox.delete', 'Delete messages'],
      ['notes.edit', 'Write notes'],
      ['contacts.view', 'See contacts'],
      ['contacts.viewPii', 'See numbers and addresses of contacts'],
      ['contacts.edit', 'Edit contacts'],
      ['contacts.bulk', 'Import contacts and edit many at once'],
      ['blocks.edit', 'Block callers'],
      ['campaigns.view', 'See campaigns'],
      ['campaigns.draft', 'Draft campaigns'],
      ['campaigns.send', 'Send campaigns'],
      ['campaigns.approve', 'Approve campaigns'],
    ],
  },
  {
    label: 'Set-up',
    permissions: [
      ['tags.view', 'See tags'],
      ['tags.edit', 'Edit tags'],
      ['fields.view', 'See custom fields'],
      ['fields.edit', 'Edit custom fields'],
      ['columnPresets.edit', 'Save column presets'],
      ['integrations.view', 'See integrations'],
      ['integrations.edit', 'Connect integrations'],
      ['monitoring.view', 'See alerts'],
      ['monitoring.edit', 'Set up alerts'],
    ],
  },
] as const satisfies readonly {
  label: string;
  permissions: readonly (readonly [PermissionKey, string])[];
}[];

type Group = (typeof groups)[number];
type Row = Group['permissions'][number];

/** The rows of the role matrix in plain words, grouped as screens show them. */
export const permissionGroups = groups.map<{
  label: Group['label'];
  permissions: readonly Row[];
}>(({ label, permissions }) => ({ label, permissions }));

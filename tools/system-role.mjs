/**
 * The system role reads every company's rows, so row-level security doesn't protect what it asks. Stores, the platform
 * and the files listed here may use it (`db.unscoped`, `db.systemTransaction`), each group with its reason.
 * A file that no longer uses it leaves the list. The planted violations prove that uses are found.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const systemAccess = new Set(['unscoped', 'systemTransaction']);
const free = /^server\/src\/platform\/|\/(store[^/]*|[^/]*-store)\.ts$|\.test\.ts$/;

const inModules = (...paths) => paths.map((path) => `server/src/modules/${path}`);
const allowed = [
  {
    reason: 'People, sign-in codes and sessions belong to no company',
    files: inModules(
      'identity/change-email.ts',
      'identity/change-password.ts',
      'identity/end-access.ts',
      'identity/first-owner.ts',
      'identity/access-tokens/access-tokens.ts',
      'identity/login.ts',
      'identity/mfa/change-factors.ts',
      'identity/mfa/confirm-identity.ts',
      'identity/mfa/get-qr.ts',
      'identity/mfa/reset-factors.ts',
      'identity/mfa/send-code.ts',
      'identity/mfa/sign-in-with-code.ts',
      'identity/passkeys/challenges.ts',
      'identity/passkeys/manage-passkeys.ts',
      'identity/passkeys/sign-in-with-passkey.ts',
      'identity/passkeys/verify-passkey.ts',
      'identity/oauth-provider/authorizations.ts',
      'identity/oauth-provider/clients.ts',
      'identity/oauth-provider/consent.ts',
      'identity/oauth-provider/provider-records.ts',
      'identity/oauth-provider/provider.ts',
      'identity/persons.ts',
      'identity/require-password.ts',
      'identity/reset-password.ts',
      'identity/token-sessions.ts',
      'calls/phones/presence.ts',
    ),
  },
  {
    reason: 'Runs before a company is chosen, or creates one',
    files: inModules(
      'companies/authenticator.ts',
      'companies/invitations/accept-invitation.ts',
      'companies/recognize-program.ts',
      'companies/read.ts',
      'companies/rotate-support-pins.ts',
      'companies/person-access.ts',
      'companies/reset-user-factors.ts',
      'companies/signup.ts',
      'companies/update-company-user.ts',
      'companies/users/change-access.ts',
      'companies/users/end-sessions.ts',
      'companies/users/show-factors-to-companies.ts',
      'companies/users/transfer-ownership.ts',
      'companies/users/update-profile.ts',
      'companies/write.ts',
      'settings/general/change-settings.ts',
      'settings/general/present-settings.ts',
      'settings/general/routes.ts',
    ),
  },
  {
    reason: 'Organizations are above companies; dispatch has checked that the actor administers it',
    files: inModules(
      'companies/organizations/accounts.ts',
      'companies/organizations/leave-organization.ts',
      'companies/organizations/in-organization.ts',
      'companies/organizations/organizations.ts',
      'companies/organizations/people.ts',
    ),
  },
  {
    reason: 'Names and addresses of people, for IDs that the company’s own rows hold',
    files: inModules(
      'conversations/exporting/mail-export.ts',
      'conversations/notes.ts',
      'conversations/team/assign-conversations.ts',
      'conversations/team/teammates.ts',
      'fields/presets/column-presets.ts',
      'marketplace/mail-listing.ts',
      'notifications/mail-digest.ts',
      'notifications/on-team-events.ts',
      'notifications/settings.ts',
      'numbers/actor-name.ts',
      'numbers/forwarding/list-forward-contacts.ts',
      'porting/mail-port.ts',
      'routing/build-flow.ts',
      'settings/audit/list-audit-log.ts',
    ),
  },
  {
    reason: 'Invitations name people, and several companies of an organization',
    files: inModules(
      'companies/invitations/invite-person.ts',
      'companies/invitations/list-invitations.ts',
    ),
  },
  {
    reason: 'Platform staff help every company; the endpoints are theirs alone',
    files: inModules(
      'companies/admin-mode/admin-mode.ts',
      'companies/admin-mode/remote-login.ts',
      'settings/support/list-support-tickets.ts',
    ),
  },
  {
    reason: 'A person’s devices and presence are the same in all of their companies',
    files: inModules(
      'notifications/devices.ts',
      'notifications/notification-targets.ts',
      'notifications/presence-heartbeat.ts',
      'notifications/deliver-push.ts',
      'notifications/push.ts',
    ),
  },
  {
    reason: 'Asks the global directory whose a number or a carrier’s object is',
    files: inModules(
      'compliance/registration/inbound.ts',
      'conversations/item-receipts.ts',
      'conversations/receive-texts.ts',
      'conversations/team/after-hours-reply.ts',
      'conversations/team/text-back.ts',
      'fax/fax-webhooks.ts',
      'porting/check-portability.ts',
    ),
  },
  {
    reason: 'Reservations of numbers that no company owns yet',
    files: inModules(
      'numbers/buy-numbers.ts',
      'numbers/locate-numbers.ts',
      'numbers/rotate-number.ts',
    ),
  },
  {
    reason: 'A buyer or lessee acts in the company of the listing, found by the listing’s ID',
    files: inModules(
      'marketplace/buyer-listing.ts',
      'marketplace/end-lease.ts',
      'marketplace/list-marketplace.ts',
      'marketplace/renew-lease.ts',
    ),
  },
  {
    reason: 'An archive holds the people and the directory entries that the company’s rows name',
    files: inModules('archive/exports.ts', 'archive/list-archives.ts', 'archive/run-archive.ts'),
  },
  {
    reason: 'Clocks: find what is due in every company, then work in each one’s own transaction',
    files: inModules(
      'analytics/jobs.ts',
      'calls/records/fold-callers.ts',
      'campaigns/campaign-turns.ts',
      'campaigns/recover-orphans.ts',
      'compliance/registration/jobs.ts',
      'contacts/importing/delete-old-files.ts',
      'contacts/jobs.ts',
      'conversations/exporting/delete-expired-exports.ts',
      'conversations/reconcile-texts.ts',
      'marketplace/jobs.ts',
      'porting/jobs.ts',
      'settings/audit/jobs.ts',
    ),
  },
  {
    reason:
      'One statement per batch without a transaction’s round trips; the batch names its company',
    files: inModules('campaigns/submit-batch.ts'),
  },
  {
    reason: 'The tenant belongs to an organization, above its companies',
    files: inModules(
      'settings/tenant/custom-domain.ts',
      'settings/tenant/jobs.ts',
      'settings/tenant/organization.ts',
      'settings/tenant/read-tenant.ts',
      'settings/tenant/sender.ts',
    ),
  },
  {
    reason: 'Fields and tags of an organization apply to all of its companies',
    files: inModules(
      'fields/definitions/list-fields.ts',
      'fields/definitions/record-field-change.ts',
      'fields/definitions/replace-choices.ts',
      'fields/definitions/save-field.ts',
      'fields/tags/change-tags.ts',
    ),
  },
  {
    reason: 'The installation itself: health, and our accounts at carriers',
    files: [
      'server/src/app/health-routes.ts',
      ...inModules('numbers/accounts/carrier-accounts.ts'),
    ],
  },
  {
    reason: 'The simulated carrier’s own tables have no company',
    files: [
      'accept-texts',
      'directory',
      'dns',
      'fax-jobs',
      'fax-routes',
      'faxes',
      'inventory',
      'porting-jobs',
      'porting',
      'pushes',
      'registration',
      'text-jobs',
      'text-routes',
      'texts',
    ].map((name) => `server/src/adapters/sandbox/${name}.ts`),
  },
];
const listed = new Set(allowed.flatMap(({ files }) => files));

/** Lines of a source text that use the system role. */
function usesIn(text) {
  const tree = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const lines = [];
  const visit = (node) => {
    const name = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
        ? node.argumentExpression.text
        : ts.isBindingElement(node)
          ? (node.propertyName ?? node.name).getText()
          : '';
    if (systemAccess.has(name))
      lines.push(tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lines;
}

/** What is wrong with these files ([path, text]), one line each. */
function violations(files) {
  const users = files
    .filter(([path]) => !free.test(path))
    .map(([path, text]) => ({ path, lines: usesIn(text) }))
    .filter(({ lines }) => lines.length);
  const using = new Set(users.map(({ path }) => path));
  return [
    ...users
      .filter(({ path }) => !listed.has(path))
      .map(
        ({ path, lines }) =>
          `${path}:${lines[0]} uses the system role. Ask in a store, or list the file with a reason in tools/system-role.mjs`,
      ),
    ...[...listed]
      .filter((path) => !using.has(path))
      .map((path) => `tools/system-role.mjs lists ${path}, which doesn’t use the system role`),
  ];
}

/** Uses of the system role in files that aren't listed, and listed files without one. */
export function systemRoleViolations() {
  const paths = execFileSync(
    'git',
    ['-C', root, 'ls-files', '-co', '--exclude-standard', 'server/src'],
    {
      encoding: 'utf8',
    },
  );
  return violations(
    paths
      .split('\n')
      .filter((path) => path.endsWith('.ts') && existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

const planted = {
  'a property': 'await list(ctx.db.unscoped);',
  'a property by its name': "await ctx.db['systemTransaction'](work);",
  'a destructured property': 'const { unscoped: everything } = ctx.db;',
};
/** Planted violations that aren't found. */
export const missedSystemRoleViolations = () => [
  ...Object.entries(planted)
    .filter(
      ([, text]) =>
        !violations([['server/src/modules/calls/leak.ts', text]])[0]?.includes('leak.ts'),
    )
    .map(([name]) => `the system role through ${name} isn't found`),
  ...(violations([]).length === listed.size ? [] : ['listed files without a use are not found']),
  ...(violations([['server/src/modules/calls/store-live.ts', planted['a property']]])[0]?.includes(
    'store-live',
  )
    ? ['a store is reported']
    : []),
];

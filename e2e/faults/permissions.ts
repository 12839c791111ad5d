import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';

const root = join(import.meta.dirname, '../..');

const access = 'server/src/platform/access.ts';
const dispatch = 'server/src/platform/http/dispatch.ts';
const matrix = 'contract/src/permissions.ts';
const scopes = 'contract/src/identity/scopes.ts';
const tenant = 'server/src/platform/http/tenant.ts';
const ranks = 'server/src/modules/companies/users/rules.ts';
const organizations = 'server/src/modules/companies/organizations/accounts.ts';
const policies = 'server/src/modules/companies/session-policies.ts';
const sockets = 'server/src/platform/realtime-sessions.ts';

/** One thing to do wrong: in this file, replace this text, which is there exactly once. */
type Fault = readonly [file: string, text: string, by: string];

/** Each would let someone do or see what they must not. */
const faults: readonly Fault[] = [
  [access, '!actor.staff || !actor.adminMode', '!actor.staff'],
  [access, '!access || access.blockedBy ?', '!access ?'],
  [access, 'if (blockedBy) fail', 'if (blockedBy && !blockedBy) fail'],
  [access, "grant === 'assigned' || grantOf", "grant === 'own' || grantOf"],
  [access, "'inbox.view', access.switches) === 'assigned'", "'inbox.view') === 'own'"],
  [matrix, "'users.edit': '* * - - - - *'", "'users.edit': '* * - - * - *'"],
  [matrix, "'company.delete': '* - -", "'company.delete': '* * -"],
  [matrix, "'inbox.view': '* * - - o", "'inbox.view': '* * - - *"],
  [matrix, "['all', 'assigned', 'own', 'none']", "['none', 'all', 'assigned', 'own']"],
  [matrix, "if (role === 'platform')", "if (role === 'platform' || role === 'billing')"],
  [tenant, "if (grant === 'none') return fail('role.forbidden');\n    return {", 'return {'],
  [tenant, "Boolean(found.is_admin) && actor.kind === 'user'", 'Boolean(found.is_admin)'],
  [tenant, "if (!isAdmin) return fail('role.forbidden');", ''],
  [tenant, 'inside.every((access) => access.blockedBy)', 'inside.length < 0'],
  [tenant, 'sql`company_id = any(${own}::bigint[])`', 'sql`true`'],
  [tenant, "if (permission !== 'public') return notFound();", ''],
  [dispatch, 'requireScope(e, actor, reply);\n', ''],
  [dispatch, 'requireAdminWrites(e, actor);\n  const', 'const'],
  [dispatch, 'await authenticator.requireConfirmation(actor)', 'void authenticator'],
  [dispatch, 'await traceAdmin(e, ctx);', ''],
  [dispatch, 'services.contactDetails.inResponse(ctx, e, value)', 'value'],
  [dispatch, 'services.contactDetails.checkSearch(ctx, e, [input.query, input.body]);', ''],
  [dispatch, "e.company === 'object' && named && named !== tenant.companyId", 'false'],
  [scopes, "'apiKeys.own': null", "'apiKeys.own': 'write'"],
  [scopes, 'if (isOfSignIn(e.path)) return null;', ''],
  [scopes, 'scope !== null && granted.includes(scope)', 'scope !== null'],
  [ranks, 'roleRank[targetRole] > roleRank[highestRole(actorRoles)]', 'roleRank[targetRole] < 0'],
  [ranks, "if (isSelf) return 'user.own_role';", ''],
  [
    ranks,
    "if (roleRank[wanted] > roleRank[highestRole(actorRoles)]) return 'user.role_above';",
    '',
  ],
  [organizations, '(await ownerIdOf(tx, companyId)) !== ctx.actor.userId', '!ctx'],
  [policies, "switches['allowed_ip_ranges']", "switches['allowed_ips']"],
  [sockets, 'Object.assign(session, found)', 'found'],
];

/** What asks every door; the quick ones first, since the first that fails ends the round. */
const tests = [
  'contract/src',
  'server/src/platform/http',
  'server/src/platform/realtime',
  'server/src/modules/companies',
  'server/src/modules/identity',
  'server/test/access',
  'server/test/company-of-object.test.ts',
  'server/test/confirmation.test.ts',
  'server/test/masked-everywhere.test.ts',
  'server/test/nobody-rises.test.ts',
  'server/test/number-visibility.test.ts',
  'server/test/endpoint-contract.test.ts',
];

/** Whether some test fails in this checkout. */
const isCaught = (checkout: string): boolean =>
  spawnSync(
    join(checkout, 'node_modules/.bin/vitest'),
    ['run', '--project', 'plain', '--project', 'server', '--bail', '1', ...tests],
    { cwd: checkout, stdio: 'ignore' },
  ).status !== 0;

/** A copy of what is committed or about to be, sharing the packages. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'trunkline-permissions-'));
  const listed = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter(Boolean))
    cpSync(join(root, file), join(copy, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/**
 * Seeds one fault of permissions at a time into a copy of this checkout and runs the tests of
 * access: each fault must make one fail. `quick`: eight of them, by the seed; `full`: all.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const chosen = size === 'full' ? faults : faults.filter((_, n) => (n + seed) % faults.length < 8);
  const copy = copyCheckout();
  const missed: string[] = [];
  try {
    if (isCaught(copy)) throw new Error('the tests fail without a fault, too');
    for (const [file, text, by] of chosen) {
      const place = join(copy, file);
      const before = readFileSync(place, 'utf8');
      if (before.split(text).length !== 2) throw new Error(`not once in ${file}: ${text}`);
      writeFileSync(
        place,
        before.replace(text, () => by),
      );
      const caught = isCaught(copy);
      console.log(`${caught ? 'caught' : 'MISSED'}  ${file}: ${text.split('\n')[0]}`);
      if (!caught) missed.push(`${dirname(file)}: ${text}`);
      writeFileSync(place, before);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return [
    printMetric(
      'permission faults caught',
      `${chosen.length - missed.length} of ${chosen.length}`,
      'all',
      missed.length === 0,
    ),
  ];
}

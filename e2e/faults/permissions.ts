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

const inContract = 'contract/src/permissions.test.ts contract/src/identity/scopes.test.ts';
const inAccess = 'server/test/access-union.test.ts server/test/access-everywhere.test.ts';
const inAdminMode = 'server/src/modules/companies/admin-mode';
const inEndpoints = 'server/test/endpoint-contract.test.ts server/test/company-of-object.test.ts';
const inKeys = 'server/src/modules/identity/access-tokens';
const inMasking = 'server/test/masked-everywhere.test.ts';
const inNumbers = 'server/test/number-visibility.test.ts';
const inOrganizations =
  'server/src/modules/companies/organizations server/test/nobody-rises.test.ts';
const inUsers = 'server/src/modules/companies/users';

/**
 * One thing to do wrong: in this file, replace this text, which is there exactly once; one of these
 * tests must fail then.
 */
type Fault = readonly [file: string, text: string, by: string, tests: string];

/** Each would let someone do or see what they must not. */
const faults: readonly Fault[] = [
  [access, '!actor.staff || !actor.adminMode', '!actor.staff', inAdminMode],
  [access, '!access || access.blockedBy ?', '!access ?', inAccess],
  [access, 'if (blockedBy) fail', 'if (blockedBy && !blockedBy) fail', inAccess],
  [access, "grant === 'assigned' || grantOf", "grant === 'own' || grantOf", inNumbers],
  [access, "'inbox.view', access.switches) === 'assigned'", "'inbox.view') === 'own'", inNumbers],
  [matrix, "'users.edit': '* * - - - - *'", "'users.edit': '* * - - * - *'", inContract],
  [matrix, "'company.delete': '* - -", "'company.delete': '* * -", inContract],
  [matrix, "'inbox.view': '* * - - o", "'inbox.view': '* * - - *", inContract],
  [matrix, "['all', 'assigned', 'own', 'none']", "['none', 'all', 'assigned', 'own']", inAccess],
  [matrix, "role === 'platform') return", "role !== 'owner') return", inContract],
  [
    tenant,
    "if (grant === 'none') return fail('role.forbidden');\n    return {",
    'return {',
    inEndpoints,
  ],
  [tenant, "Boolean(found.is_admin) && actor.kind === 'user'", 'Boolean(found.is_admin)', inKeys],
  [tenant, "if (!isAdmin) return fail('role.forbidden');", '', inOrganizations],
  [tenant, 'inside.every((access) => access.blockedBy)', 'inside.length < 0', inAccess],
  [tenant, 'numbers: numbersIn(access, grant)', 'numbers: null', inNumbers],
  [tenant, "if (permission !== 'public') return notFound();", '', inEndpoints],
  [dispatch, 'requireScope(e, actor, reply);\n', '\n', inKeys],
  [dispatch, 'requireAdminWrites(e, actor);\n  const', 'const', inAdminMode],
  [
    dispatch,
    'await authenticator.requireConfirmation(actor)',
    'void authenticator',
    'server/test/confirmation.test.ts',
  ],
  [dispatch, 'await traceAdmin(e, ctx);', '', inAdminMode],
  [dispatch, 'services.contactDetails.inResponse(ctx, e, value)', 'value', inMasking],
  [
    dispatch,
    'services.contactDetails.checkSearch(ctx, e, [input.query, input.body]);',
    '',
    inMasking,
  ],
  [dispatch, 'named && named !== tenant.companyId', 'named && !tenant', inEndpoints],
  [scopes, "'company.create': null", "'company.create': 'write'", inContract],
  [scopes, 'if (isOfSignIn(e.path)) return null;', '', `${inKeys} ${inContract}`],
  [scopes, 'scope !== null && granted.includes(scope)', 'scope !== null', inContract],
  [
    ranks,
    'roleRank[targetRole] > roleRank[highestRole(actorRoles)]',
    'roleRank[targetRole] < 0',
    inUsers,
  ],
  [ranks, "if (isSelf) return 'user.own_role';", '', inUsers],
  [ranks, "if (targetRole === 'owner') return 'owner.required';", '', inUsers],
  [organizations, '(await ownerIdOf(tx, companyId)) !== ctx.actor.userId', '!ctx', inOrganizations],
  [policies, "switches['allowed_ip_ranges']", "switches['allowed_ips']", inAccess],
  [sockets, 'Object.assign(session, found)', 'found', 'server/test/access-sockets.test.ts'],
];

/** Whether some of these tests fail in a checkout. */
const isCaught = (
  checkout: string,
  tests: readonly string[],
  stdio: 'ignore' | 'inherit' = 'ignore',
): boolean =>
  spawnSync(
    join(checkout, 'node_modules/.bin/vitest'),
    ['run', '--project', 'plain', '--project', 'server', '--bail', '1', ...tests],
    { cwd: checkout, stdio },
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
    const all = [...new Set(chosen.flatMap(([, , , tests]) => tests.split(' ')))];
    if (isCaught(copy, all, 'inherit')) throw new Error('the tests fail without a fault, too');
    for (const [file, text, by, tests] of chosen) {
      const place = join(copy, file);
      const before = readFileSync(place, 'utf8');
      if (before.split(text).length !== 2) throw new Error(`not once in ${file}: ${text}`);
      writeFileSync(
        place,
        before.replace(text, () => by),
      );
      const caught = isCaught(copy, tests.split(' '));
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

/**
 * A dependency rule that matches nothing passes silently, so each one runs over a small codebase that
 * violates it. A rule that reports nothing there is broken.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { modules } from '../modules.mjs';
import { forbidden, options } from './dependency-rules.mjs';

const root = join(import.meta.dirname, '..');
const last = modules.at(-1);

/** Rule → the import that violates it: from which file, of which file or package. */
const violations = {
  'no-cycles': ['server/src/platform/hen.ts', 'server/src/platform/egg.ts'],
  'public-api-only': [
    'server/src/modules/companies/bypass.ts',
    'server/src/modules/identity/store.ts',
  ],
  'platform-is-generic': ['server/src/platform/specific.ts', 'server/src/modules/calls/index.ts'],
  'gateways-are-interfaces': ['server/src/gateways/leaky.ts', 'server/src/platform/db.ts'],
  'adapters-import-no-module': [
    'server/src/adapters/sandbox/backwards.ts',
    'server/src/modules/calls/index.ts',
  ],
  'adapters-through-the-registry': ['server/src/app.ts', 'server/src/adapters/twilio/carrier.ts'],
  'exchange-stands-alone': ['server/src/exchange/leg.ts', 'server/src/adapters/sandbox/voice.ts'],
  'adapters-know-no-exchange': [
    'server/src/adapters/twilio/carrier.ts',
    'server/src/exchange/protocol.ts',
  ],
  'modules-use-gateways': [
    'server/src/modules/calls/shortcut.ts',
    'server/src/adapters/sandbox/voice.ts',
  ],
  'aws-sdk-stays-in-its-adapter': ['server/src/modules/calls/bucket.ts', '@aws-sdk/client-s3'],
  'twilio-stays-in-its-adapter': ['server/src/modules/calls/vendor.ts', 'twilio'],
  'undici-stays-in-its-adapter': ['server/src/modules/calls/request.ts', 'undici'],
  'nodemailer-stays-in-its-adapter': ['server/src/modules/calls/mailer.ts', 'nodemailer'],
  'espeak-ng-stays-in-its-adapter': ['server/src/modules/calls/speech.ts', 'espeak-ng'],
  'werift-stays-in-its-adapter': ['server/src/modules/calls/media.ts', 'werift'],
  'sql-in-stores-only': ['server/src/modules/calls/present.ts', 'pg'],
  'rules-are-pure': ['server/src/modules/calls/rules.ts', 'server/src/platform/db.ts'],
  'contract-is-independent': [
    'contract/src/calls/operations/calling.ts',
    'server/src/platform/db.ts',
  ],
  'screens-import-no-server': ['web/src/app/Shortcut.tsx', 'server/src/platform/db.ts'],
  'app-imports-the-feature-list-only': [
    'web/src/app/Impatient.tsx',
    'web/src/features/calls/routes.tsx',
  ],
  'the-feature-list-imports-routes-only': [
    'web/src/features/index.ts',
    'web/src/features/calls/phone.ts',
  ],
  'features-through-their-index': [
    'web/src/features/campaigns/Deep.tsx',
    'web/src/features/contacts/labels.ts',
  ],
  'features-import-no-app': ['web/src/features/calls/Frame.tsx', 'web/src/app/shell.ts'],
  'routes-are-collected-by-the-list': [
    'web/src/features/calls/Nosy.tsx',
    'web/src/features/numbers/routes.tsx',
  ],
  'screens-are-loaded-by-their-routes': [
    'web/src/features/calls/Eager.tsx',
    'web/src/features/calls/screens/Record.tsx',
  ],
  'screens-belong-to-their-feature': [
    'web/src/features/calls/screens/Borrowed.tsx',
    'web/src/features/numbers/screens/Own.tsx',
  ],
  'server-imports-no-screen': ['server/src/platform/themed.ts', 'ui/src/theme.ts'],
  'ui-kit-imports-no-app': ['ui/src/Partial.tsx', 'web/src/app/shell.ts'],
  'applications-share-the-kit-only': ['caddy/src/guest.ts', 'web/src/app/shell.ts'],
  'the-snippet-has-no-dependency': ['snippet/src/heavy.ts', 'ui/src/theme.ts'],
  ...Object.fromEntries(
    modules.slice(0, -1).flatMap((name) => [
      [
        `${name}-imports-a-later-module`,
        [`server/src/modules/${name}/later.ts`, `server/src/modules/${last}/index.ts`],
      ],
      [
        `${name}-screens-import-a-later-module`,
        [`web/src/features/${name}/Later.tsx`, `web/src/features/${last}/index.ts`],
      ],
    ]),
  ),
};

/** Names of the rules that missed their violation. */
export async function brokenRules() {
  const codebase = mkdtempSync(join(tmpdir(), 'trunkline-rules-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(codebase, 'node_modules'));
    writeFileSync(join(codebase, 'package.json'), '{ "type": "module" }');
    const lines = new Map();
    for (const [from, to] of Object.values(violations)) {
      const isFile = /\.tsx?$/.test(to);
      if (isFile && !lines.has(to)) lines.set(to, []);
      const how = relative(dirname(from), to);
      lines.set(from, [
        ...(lines.get(from) ?? []),
        isFile ? (how.startsWith('.') ? how : `./${how}`) : to,
      ]);
    }
    lines.set('server/src/platform/egg.ts', ['./hen.ts']);
    for (const [path, imports] of lines) {
      mkdirSync(dirname(join(codebase, path)), { recursive: true });
      writeFileSync(
        join(codebase, path),
        [...imports.map((name) => `import '${name}';`), 'export {};', ''].join('\n'),
      );
    }
    const { tsConfig: _none, ...plain } = options;
    const { output } = await cruise(['contract', 'server', 'ui', 'web', 'caddy', 'snippet'], {
      ...plain,
      validate: true,
      ruleSet: { forbidden },
      baseDir: codebase,
      preserveSymlinks: true,
    });
    const red = new Set(output.summary.violations.map(({ rule }) => rule.name));
    return forbidden.map(({ name }) => name).filter((name) => !red.has(name));
  } finally {
    rmSync(codebase, { recursive: true, force: true });
  }
}

/** What violates the rules in the codebase, one line each. */
export async function ruleViolations(folders) {
  const { output } = await cruise(folders, {
    ...options,
    validate: true,
    ruleSet: { forbidden },
    baseDir: root,
  });
  // With a parser that does not know TypeScript it checks nothing and passes.
  if (output.summary.totalCruised < 100)
    throw new Error(
      `dependency-cruiser saw only ${output.summary.totalCruised} modules; is "typescript" still the alias of typescript 6?`,
    );
  return {
    seen: output.summary.totalCruised,
    lines: output.summary.violations.map(
      ({ rule, from, to }) =>
        `${from} → ${to}\n    ${rule.name}: ${forbidden.find(({ name }) => name === rule.name)?.comment}`,
    ),
  };
}

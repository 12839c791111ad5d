/**
 * Dependency rules that match nothing are silent, so each one is tried on a house in which somebody
 * trespasses against it. A rule that stays green there is broken.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { modules } from '../modules.mjs';
import { forbidden, options } from './dependency-rules.mjs';

const root = join(import.meta.dirname, '..');
const last = modules.at(-1);

/** Rule → from which file to which file or package. */
const plants = {
  'no-cycles': ['server/src/platform/hen.ts', 'server/src/platform/egg.ts'],
  'use-the-door': [
    'server/src/modules/companies/window.ts',
    'server/src/modules/identity/store.ts',
  ],
  'platform-knows-no-product': [
    'server/src/platform/gossip.ts',
    'server/src/modules/calls/index.ts',
  ],
  'ports-are-only-shapes': ['server/src/ports/leaky.ts', 'server/src/platform/db.ts'],
  'adapters-know-no-product': [
    'server/src/adapters/sandbox/curious.ts',
    'server/src/modules/calls/index.ts',
  ],
  'modules-ask-through-ports': [
    'server/src/modules/calls/shortcut.ts',
    'server/src/adapters/sandbox/voice.ts',
  ],
  'aws-sdk-stays-in-its-adapter': ['server/src/modules/calls/bucket.ts', '@aws-sdk/client-s3'],
  'twilio-stays-in-its-adapter': ['server/src/modules/calls/foreign-words.ts', 'twilio'],
  'nodemailer-stays-in-its-adapter': ['server/src/modules/calls/letter.ts', 'nodemailer'],
  'espeak-ng-stays-in-its-adapter': ['server/src/modules/calls/mouth.ts', 'espeak-ng'],
  'werift-stays-in-its-adapter': ['server/src/modules/calls/wire.ts', 'werift'],
  'only-stores-speak-sql': ['server/src/modules/calls/present.ts', 'pg'],
  'rules-are-pure': ['server/src/modules/calls/rules.ts', 'server/src/platform/db.ts'],
  'contract-stands-alone': ['contract/src/calls.ts', 'server/src/platform/db.ts'],
  'face-knows-no-server': ['web/src/screens/Nosy.tsx', 'server/src/platform/db.ts'],
  'server-knows-no-face': ['server/src/platform/vain.ts', 'ui/src/theme.ts'],
  'ui-knows-no-screen': ['ui/src/Partial.tsx', 'web/src/app/shell.ts'],
  'web-and-caddy-never-meet': ['web/src/screens/Guest.tsx', 'caddy/src/ride.ts'],
  'caddy-and-web-never-meet': ['caddy/src/guest.ts', 'web/src/app/shell.ts'],
  ...Object.fromEntries(
    modules.slice(0, -1).flatMap((name) => [
      [
        `${name}-leans-up-the-list`,
        [`server/src/modules/${name}/lean.ts`, `server/src/modules/${last}/index.ts`],
      ],
      [
        `${name}-screens-lean-up-the-list`,
        [`web/src/features/${name}/Lean.tsx`, `web/src/features/${last}/index.ts`],
      ],
    ]),
  ),
};

/** Names of the rules that did not notice their trespass. */
export async function blindRules() {
  const house = mkdtempSync(join(tmpdir(), 'trunkline-trespass-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
    writeFileSync(join(house, 'package.json'), '{ "type": "module" }');
    const lines = new Map();
    for (const [from, to] of Object.values(plants)) {
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
      mkdirSync(dirname(join(house, path)), { recursive: true });
      writeFileSync(
        join(house, path),
        [...imports.map((name) => `import '${name}';`), 'export {};', ''].join('\n'),
      );
    }
    const { tsConfig: _none, ...plain } = options;
    const { output } = await cruise(['contract', 'server', 'ui', 'web', 'caddy'], {
      ...plain,
      validate: true,
      ruleSet: { forbidden },
      baseDir: house,
      preserveSymlinks: true,
    });
    const red = new Set(output.summary.violations.map(({ rule }) => rule.name));
    return forbidden.map(({ name }) => name).filter((name) => !red.has(name));
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
}

/** What is wrong in the real house, one line each. */
export async function trespasses(folders) {
  const { output } = await cruise(folders, {
    ...options,
    validate: true,
    ruleSet: { forbidden },
    baseDir: root,
  });
  // With a parser that does not know TypeScript it checks nothing and is content.
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

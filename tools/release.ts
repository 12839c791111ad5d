/**
 * `npm run release -- DIR`: lays out what a server runs in an empty folder: built screens, compiled
 * code, packages without those for development, a list of all of them (sbom.json) and their licenses
 * (NOTICE). `npm start` there is ready in seconds and writes nothing outside DATA_DIR. The image is
 * made by the same command (deploy/Dockerfile).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildBundle, bundles } from '../server/src/start/bundle-build.ts';
import { compiledServer } from '../server/src/start/server-build.ts';

const root = join(import.meta.dirname, '..');
const [given] = process.argv.slice(2);
if (!given) {
  console.error('Usage: npm run release -- DIR');
  process.exit(2);
}
const target = resolve(given);
if (existsSync(target) && readdirSync(target).length > 0) {
  console.error(`${target} isn’t empty. Name a new folder`);
  process.exit(1);
}

/** What runs, besides packages. Tests stay behind. */
const shipped = [
  ...['package.json', 'package-lock.json', '.npmrc', 'modules.mjs', 'tsconfig.json', 'LICENSE'],
  ...['README.md', 'CHANGELOG.md', 'docs', 'deploy'],
  ...['contract/src', 'server/src', 'server/seeds', 'server/migrations'],
  ...['snippet/releases', 'snippet/demo-page.js', 'snippet/forms.js'],
  ...bundles.map((bundle) => `${bundle}/dist`),
  ...['ensure-installed.mjs', 'backup.ts', 'backup-summary.ts', 'restore.ts', 'migrate.ts'].map(
    (name) => `tools/${name}`,
  ),
  ...['doctor.ts', 'reseal.ts', 'operator.ts'].map((name) => `tools/${name}`),
];

/** What the screens are built with; their licenses come along, their packages don't. */
const inScreens = [
  ...['@fontsource-variable/inter', '@lingui/core', '@lingui/message-utils', '@xyflow/react'],
  ...['@mantine/core', '@mantine/form', '@mantine/hooks', '@mantine/spotlight', 'driver.js'],
  ...['@simplewebauthn/browser', '@tabler/icons-react', '@tanstack/react-query', 'd3-geo'],
  ...['@tanstack/react-router', '@tanstack/react-virtual', 'react', 'react-dom', 'us-atlas'],
  ...['react-dropzone', 'socket.io-client', 'topojson-client', 'wavesurfer.js'],
];

for (const bundle of bundles) {
  const ms = await buildBundle(bundle);
  if (ms !== null) console.log(`Built ${bundle} in ${(ms / 1000).toFixed(1)} s`);
}
mkdirSync(target, { recursive: true });
for (const path of shipped)
  if (existsSync(join(root, path)))
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      filter: (source) => !/\.test\.tsx?$/.test(source),
    });

npm(['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']);
writeFileSync(
  join(target, 'sbom.json'),
  npm(['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only'], 'pipe'),
);
writeFileSync(join(target, 'NOTICE'), notice());
// In the place where it will run: compiled code knows where its sources are.
const code = await compiledServer((line) => fail(line), target);
code();
console.log(`Released to ${target}. Start it there: npm start`);

function npm(args: string[], stdout: 'inherit' | 'pipe' = 'inherit'): string {
  const { status, stdout: said } = spawnSync('npm', args, {
    cwd: target,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) fail(`npm ${args[0]} failed (above)`);
  return said;
}

/** Who made the packages that come along, and under which license. */
function notice(): string {
  const { packages } = JSON.parse(readFileSync(join(target, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: string }>;
  };
  const lines = Object.entries(packages).flatMap(([path, { version, license }]) => {
    // Packages of the screens are part of their built files.
    const comes =
      existsSync(join(target, path)) || inScreens.some((name) => path.endsWith(`/${name}`));
    if (path === '' || !comes) return [];
    return `${path.replace(/^.*node_modules\//, '')} ${version}: ${license ?? 'see its folder'}`;
  });
  return [
    'Trunkline is licensed under Apache-2.0 (LICENSE). It comes with these packages, each with its license in its folder',
    'under node_modules. espeak-ng (GPL) runs as a program of its own, and libvips (LGPL) is loaded as a shared library that',
    'you can replace.',
    '',
    ...[...new Set(lines)].sort(),
    '',
  ].join('\n');
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

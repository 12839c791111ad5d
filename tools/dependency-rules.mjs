/**
 * Who may import whom, made from the list in modules.mjs: rules for dependency-cruiser. Every rule
 * here has a planted trespass in tools/trespass that must be found (tools/check.mjs).
 */
import { modules } from '../modules.mjs';

// Tests and what sets their scene: a-line.ts, a-switch.ts, play-script.ts.
const tests = '(\\.test\\.tsx?|\\.journey\\.ts|/play-script\\.ts|/a-[a-z-]+\\.ts)$';
const room = (name) => `^server/src/modules/${name}/`;
const feature = (name) => `^web/src/features/${name}/`;
const oneOf = (names) => `(${names.join('|')})`;

/** A module leans only on those before it, whatever the door. */
const leaning = modules.slice(0, -1).flatMap((name, at) => {
  const later = oneOf(modules.slice(at + 1));
  return [
    {
      name: `${name}-leans-up-the-list`,
      comment: `${name} does not know the modules after it on the list: say an event, or let them ask`,
      severity: 'error',
      from: { path: room(name), pathNot: tests },
      to: { path: room(later) },
    },
    {
      name: `${name}-screens-lean-up-the-list`,
      comment: `The screens of ${name} do not know those after it on the list`,
      severity: 'error',
      from: { path: feature(name), pathNot: tests },
      to: { path: feature(later) },
    },
  ];
});

/** Packages that speak to one stranger stay in that stranger's adapter. */
const vendors = [
  ['^node_modules/@aws-sdk/', '^server/src/adapters/s3/'],
  ['^node_modules/twilio/', '^server/src/adapters/twilio/'],
  ['^node_modules/nodemailer/', '^server/src/adapters/mail-smtp/'],
  ['^node_modules/espeak-ng/', '^server/src/adapters/speech-espeak/'],
  ['^node_modules/(werift|@evan/opus)/', '^server/src/adapters/sandbox/'],
].map(([vendor, home]) => ({
  name: `${vendor
    .replace(/^\^node_modules\/|\/$|[()]/g, '')
    .split('|')[0]
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')}-stays-in-its-adapter`,
  comment: `Only ${home.slice(1)} speaks to this stranger; everybody else asks through a port`,
  severity: 'error',
  from: { path: '^(server|contract|ui|web|caddy)/', pathNot: [home, tests] },
  to: { path: vendor },
}));

const one = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export const forbidden = [
  one(
    'no-cycles',
    'Two files that need each other to load are one file, or one of them says an event',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
  ),
  // A thread loads the one file whose function it runs, and nothing else of the module.
  one(
    'use-the-door',
    'From outside a module only its index.ts is seen',
    { path: '^server/src/(?!modules/|thread\\.ts)|^server/src/modules/([^/]+)/', pathNot: tests },
    {
      path: '^server/src/modules/[^/]+/',
      pathNot: ['^server/src/modules/[^/]+/index\\.ts$', '^server/src/modules/$1/'],
    },
  ),
  ...leaning,
  one(
    'platform-knows-no-product',
    'The machine room serves any product: no module, no adapter',
    { path: '^server/src/platform/', pathNot: tests },
    { path: '^server/src/(modules|adapters|app\\.ts)' },
  ),
  one(
    'ports-are-only-shapes',
    'A port says what we ask of a stranger and knows nobody',
    { path: '^server/src/ports/', pathNot: tests },
    { path: '^server/src/(?!ports/)' },
  ),
  one(
    'adapters-know-no-product',
    'An adapter translates; the product calls it, never the other way round',
    { path: '^server/src/adapters/', pathNot: tests },
    { path: '^server/src/(modules|app\\.ts)' },
  ),
  one(
    'modules-ask-through-ports',
    'A module asks a port; which adapter answers is decided at the switchboard',
    { path: '^server/src/modules/', pathNot: tests },
    { path: '^server/src/(adapters|app\\.ts)' },
  ),
  ...vendors,
  one(
    'only-stores-speak-sql',
    'SQL lives in store.ts (or store-….ts), nowhere else in a module',
    {
      path: '^server/src/modules/',
      pathNot: ['^server/src/modules/[^/]+/store', '^server/src/modules/[^/]+/[^/]+/store', tests],
    },
    { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
  ),
  one(
    'rules-are-pure',
    'Decisions lean on shapes and on each other, so that they can be tried a million times',
    { path: '^server/src/modules/[^/]+/(rules\\.ts$|[a-z-]+-rules\\.ts$|engine/)', pathNot: tests },
    {
      path: '^server/src/(platform|adapters|app\\.ts)|^server/src/modules/[^/]+/(index|routes|inbound|reactions|jobs|store)|^node_modules/(pg|kysely|fastify|undici)/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  one(
    'contract-stands-alone',
    'What is said aloud depends on nothing of ours',
    { path: '^contract/src/', pathNot: tests },
    { path: '^(server|ui|web|caddy|e2e|bench|tools)/' },
  ),
  one(
    'face-knows-no-server',
    'Screens reach the server through the contract only',
    { path: '^(ui|web|caddy)/' },
    { path: '^server/' },
  ),
  one(
    'server-knows-no-face',
    'The server does not know how it looks',
    { path: '^server/' },
    { path: '^(ui|web|caddy)/src/' },
  ),
  one(
    'ui-knows-no-screen',
    'The shared face serves every application',
    { path: '^ui/' },
    { path: '^(web|caddy)/' },
  ),
  one(
    'web-and-caddy-never-meet',
    'Two applications on one face',
    { path: '^web/' },
    { path: '^caddy/' },
  ),
  one(
    'caddy-and-web-never-meet',
    'Two applications on one face',
    { path: '^caddy/' },
    { path: '^web/' },
  ),
];

export const options = {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '^(web/(dist|public)|server/dist)' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    importsFields: ['imports'],
    conditionNames: ['import', 'node', 'default', 'types'],
    extensions: ['.ts', '.tsx', '.mjs', '.js'],
  },
  moduleSystems: ['es6', 'cjs'],
};

/**
 * Who may import whom: rules for dependency-cruiser, made from the list in modules.mjs. Each rule
 * has a planted violation in tools/dependency-rules-selftest.mjs that it must find (run by
 * tools/check.mjs).
 */
import { modules } from '../modules.mjs';

// Tests, and the code that only tests use.
const tests = '(\\.test\\.tsx?|\\.journey\\.ts)$|/test-support/|^server/test/';
const moduleFolder = (name) => `^server/src/modules/${name}/`;
const featureFolder = (name) => `^web/src/features/${name}/`;
const oneOf = (names) => `(${names.join('|')})`;

/** A module imports only modules before it on the list. */
const moduleOrder = modules.slice(0, -1).flatMap((name, at) => {
  const later = oneOf(modules.slice(at + 1));
  return [
    {
      name: `${name}-imports-a-later-module`,
      comment: `${name} may not import modules after it on the list: publish an event, or let them call it`,
      severity: 'error',
      from: { path: moduleFolder(name), pathNot: tests },
      to: { path: moduleFolder(later) },
    },
    {
      name: `${name}-screens-import-a-later-module`,
      comment: `Parts of ${name} may not import those of modules after it on the list; only a screen, which nothing imports, and its own parts in a folder of screens/ compose all`,
      severity: 'error',
      from: { path: featureFolder(name), pathNot: ['/screens/', tests] },
      to: { path: featureFolder(later) },
    },
  ];
});

/** A vendor's package is imported only by that vendor's adapter. */
const vendors = [
  ['^node_modules/@aws-sdk/', '^server/src/adapters/s3/'],
  ['^node_modules/twilio/', '^server/src/adapters/twilio/'],
  // Third parties are requested through the HTTP client; the exchange and the sandbox only request
  // this machine.
  ['^node_modules/undici/', '^server/src/(platform/http-client|exchange|adapters/sandbox)/'],
  ['^node_modules/nodemailer/', '^server/src/adapters/mail-smtp/'],
  ['^node_modules/espeak-ng/', '^server/src/adapters/speech-espeak/'],
  ['^node_modules/(werift|@evan/opus)/', '^server/src/exchange/'],
].map(([vendor, home]) => ({
  name: `${vendor
    .replace(/^\^node_modules\/|\/$|[()]/g, '')
    .split('|')[0]
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')}-stays-in-its-adapter`,
  comment: `Only ${home.slice(1)} imports this package; other code uses the gateway interface`,
  severity: 'error',
  from: { path: '^(server|contract|ui|web|admin|caddy|snippet)/', pathNot: [home, tests] },
  to: { path: vendor },
}));

const one = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export const forbidden = [
  one(
    'no-cycles',
    'Files that import each other belong together, or one of them publishes an event',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
  ),
  // A worker thread loads the one file that exports its function, and nothing else of the module.
  one(
    'public-api-only',
    'Outside a module only its index.ts may be imported',
    { path: '^server/src/(?!modules/|thread\\.ts)|^server/src/modules/([^/]+)/', pathNot: tests },
    {
      path: '^server/src/modules/[^/]+/',
      pathNot: ['^server/src/modules/[^/]+/index\\.ts$', '^server/src/modules/$1/'],
    },
  ),
  ...moduleOrder,
  one(
    'platform-is-generic',
    'Infrastructure may not import modules or adapters',
    { path: '^server/src/platform/', pathNot: tests },
    { path: '^server/src/(modules|adapters|app[./])' },
  ),
  one(
    'gateways-are-interfaces',
    'A gateway declares what we ask of a third party and imports nothing else',
    { path: '^server/src/gateways/', pathNot: tests },
    { path: '^server/src/(?!gateways/)' },
  ),
  one(
    'adapters-import-no-module',
    'Modules call adapters through gateways, never the other way round',
    { path: '^server/src/adapters/', pathNot: tests },
    { path: '^server/src/(modules|app[./])' },
  ),
  one(
    'adapters-through-the-registry',
    'What a vendor’s folder holds is declared in adapters/registry.ts, which alone imports it; app.ts and modules hold no vendor’s name',
    { path: '^server/src/(?!adapters/|app/media\\.ts$)', pathNot: tests },
    { path: '^server/src/adapters/[^/]+/' },
  ),
  one(
    'exchange-stands-alone',
    'The exchange knows the platform, the gateways and the contract; carriers and modules know it',
    { path: '^server/src/exchange/', pathNot: tests },
    { path: '^server/src/(adapters|modules|app[./])' },
  ),
  one(
    'adapters-know-no-exchange',
    'Only the simulated carrier is built on the exchange',
    { path: '^server/src/adapters/(?!sandbox/)', pathNot: tests },
    { path: '^server/src/exchange/' },
  ),
  one(
    'modules-use-gateways',
    'A module uses a gateway; app.ts decides which adapter implements it',
    { path: '^server/src/modules/', pathNot: tests },
    { path: '^server/src/(adapters|app[./])' },
  ),
  ...vendors,
  one(
    'sql-in-stores-only',
    'In a module, SQL belongs in store.ts or store-….ts',
    {
      path: '^server/src/modules/',
      pathNot: ['^server/src/modules/[^/]+/store', '^server/src/modules/[^/]+/[^/]+/store', tests],
    },
    { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
  ),
  one(
    'rules-are-pure',
    'Rules are pure functions: no database, no infrastructure',
    { path: '^server/src/modules/[^/]+/(rules\\.ts$|[a-z-]+-rules\\.ts$|engine/)', pathNot: tests },
    {
      path: '^server/src/(platform/(?!money\\.ts)|adapters|app\\.ts)|^server/src/modules/[^/]+/(index|routes|inbound|subscribers|jobs|store)|^node_modules/(pg|kysely|fastify|undici)/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  one(
    'contract-is-independent',
    'The API contract imports nothing else of ours',
    { path: '^contract/src/', pathNot: tests },
    { path: '^(server|ui|web|admin|caddy|snippet|e2e|bench|tools)/' },
  ),
  one(
    'screens-import-no-server',
    'Screens use the server through the contract only',
    { path: '^(ui|web|admin|caddy|snippet)/' },
    { path: '^server/' },
  ),
  one(
    'app-imports-the-feature-list-only',
    'The app collects what features declare in their routes.tsx; it knows no screen and no part of one',
    { path: '^web/src/(app/|shared/|main\\.tsx)', pathNot: tests },
    { path: '^web/src/features/', pathNot: '^web/src/features/(index|feature)\\.ts$' },
  ),
  one(
    'the-feature-list-imports-routes-only',
    'The list of features imports what each declares, nothing else of it, and tells the shared parts',
    { path: '^web/src/features/(all|index|feature)\\.ts$' },
    {
      path: '^web/src/',
      pathNot:
        '^web/src/(features/((all|feature)\\.ts|[^/]+/routes\\.tsx)|shared/declared-screens\\.ts)$',
    },
  ),
  one(
    'features-through-their-index',
    'A feature uses of another one what its index.ts names; what it fetches later it fetches by file, without the rest',
    { path: '^web/src/features/([^/]+)/', pathNot: tests },
    {
      path: '^web/src/features/[^/]+/',
      pathNot: ['^web/src/features/$1/', '^web/src/features/[^/]+/index\\.ts$'],
      dependencyTypesNot: ['dynamic-import'],
    },
  ),
  one(
    'features-import-no-app',
    'Features stand in the app; what several of them share lies in web/src/shared',
    { path: '^web/src/(features|shared)/', pathNot: tests },
    { path: '^web/src/(app/|main\\.tsx)' },
  ),
  one(
    'routes-are-collected-by-the-list',
    'What a feature declares is read by the list of features only',
    { path: '^web/src/', pathNot: ['^web/src/features/all\\.ts$', tests] },
    { path: '^web/src/features/[^/]+/routes\\.tsx$' },
  ),
  one(
    'screens-are-loaded-by-their-routes',
    'A screen is loaded when it is visited, by the routes.tsx of its feature; nothing imports one',
    { path: '^web/src/', pathNot: tests },
    {
      path: '^web/src/features/[^/]+/screens/[^/]+\\.tsx$',
      dependencyTypesNot: ['dynamic-import'],
    },
  ),
  one(
    'screens-belong-to-their-feature',
    'Only the routes.tsx beside them load screens',
    {
      path: '^web/src/(?!features/)|^web/src/features/([^/]+)/',
      pathNot: [tests],
    },
    {
      path: '^web/src/features/[^/]+/screens/.+\\.tsx$',
      pathNot: '^web/src/features/$1/screens/',
    },
  ),
  one(
    'server-imports-no-screen',
    'The server may not import screens or the UI kit',
    { path: '^server/' },
    { path: '^(ui|web|admin|caddy|snippet)/' },
  ),
  one(
    'ui-kit-imports-no-app',
    'The UI kit serves every application',
    { path: '^ui/' },
    { path: '^(web|admin|caddy|snippet)/' },
  ),
  one(
    'applications-share-the-kit-only',
    'The main app, admin and Caddy are bundles of their own that share only the UI kit',
    { path: '^(web|admin|caddy|snippet)/' },
    { path: '^(web|admin|caddy|snippet)/', pathNot: '^$1/' },
  ),
  one(
    'the-snippet-has-no-dependency',
    'The script on customers’ pages stays within its few kB: it imports its own files only',
    { path: '^snippet/src/', pathNot: tests },
    { pathNot: '^snippet/src/' },
  ),
];

export const options = {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '^((web|admin|caddy|snippet)/dist|web/public|server/dist)' },
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

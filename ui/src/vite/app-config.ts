import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { compiledMessages } from './compiled-messages.ts';
import { serviceWorker } from './service-worker.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Paths that the development server proxies. */
const serverPaths = [
  '/api',
  '/socket.io',
  '/media',
  '/sandbox',
  '/dev',
  '/docs',
  '/admin',
  '/caddy',
];

type Rolldown = NonNullable<NonNullable<UserConfig['build']>['rolldownOptions']>;

/**
 * Unused exports of the kit's index and schemas of the contract stay out of the bundles; a list is
 * loaded with the first screen that has one.
 */
const moduleSideEffects = [
  { test: /\/ui\/src\/.*\.tsx?$/, sideEffects: false },
  { test: /\/src\/features\/[^/]+\/index\.ts$/, sideEffects: false },
  { test: /\/contract\/src\/.*\.ts$/, sideEffects: false },
  { test: /./, sideEffects: true },
];

/** The development server's proxy: every path of the server except where the application lies. */
function proxyTo(base: string) {
  const target =
    process.env['TRUNKLINE_SERVER'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;
  return Object.fromEntries(
    serverPaths
      .filter((path) => !base.startsWith(path))
      .map((path) => [path, { target, ws: true, changeOrigin: false }]),
  );
}

/**
 * Vite configuration of our applications: the same plugins, no schemas of the contract, code split
 * by screen. `root`: folder of the application, with its index.html. `base`: path it is served
 * under; `port`: of its development server; `groups`: files that share a chunk.
 */
export function appConfig(
  root: string,
  options: {
    base: string;
    port: number;
    publicDir?: boolean;
    groups?: readonly object[];
  },
): UserConfig {
  const output = {
    codeSplitting: {
      groups: [{ name: 'frame', tags: ['$initial'], priority: 2 }, ...(options.groups ?? [])],
    },
  } as NonNullable<Rolldown['output']>;
  return {
    root,
    base: options.base,
    publicDir: options.publicDir ? join(root, 'public') : false,
    cacheDir: here(`../../../node_modules/.vite-${options.port}`),
    plugins: [react(), compiledMessages(), ...(options.publicDir ? [serviceWorker()] : [])],
    resolve: {
      alias: [
        { find: /^libphonenumber-js\/min$/, replacement: here('./phone-tables.ts') },
        // One module per icon in development instead of five thousand.
        {
          find: /^@tabler\/icons-react$/,
          replacement: '@tabler/icons-react/dist/esm/icons/index.mjs',
        },
      ],
    },
    css: { postcss: { plugins: [] } },
    server: { proxy: proxyTo(options.base), host: '127.0.0.1', port: options.port },
    build: {
      outDir: join(root, 'dist'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000,
      sourcemap: false,
      // For tools/build-screens.ts, which sums up what a browser loads.
      manifest: true,
      rolldownOptions: {
        output,
        treeshake: { moduleSideEffects },
      },
    },
  };
}

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledMessages } from './compiled-messages.ts';
import { contractForBrowsers } from './contract-for-browsers.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const server =
  process.env['TRUNKLINE_SERVER'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;
const proxy = Object.fromEntries(
  ['/api', '/socket.io', '/media', '/sandbox', '/dev', '/docs'].map((path) => [
    path,
    { target: server, ws: true, changeOrigin: false },
  ]),
);

export default defineConfig({
  root: here('.'),
  publicDir: here('public'),
  cacheDir: here('../node_modules/.vite-web'),
  plugins: [react(), contractForBrowsers(), compiledMessages()],
  resolve: {
    alias: [
      // The browser needs the contract's names and addresses, not its shapes.
      { find: /^zod$/, replacement: here('../ui/src/vite/zod-stub.ts') },
      { find: /^libphonenumber-js\/min$/, replacement: here('../ui/src/vite/phone-tables.ts') },
      // One module per icon in development instead of five thousand.
      {
        find: /^@tabler\/icons-react$/,
        replacement: '@tabler/icons-react/dist/esm/icons/index.mjs',
      },
    ],
  },
  css: { postcss: { plugins: [] } },
  server: { proxy, host: '127.0.0.1', port: 5173 },
  preview: { proxy, host: '127.0.0.1', port: 4173 },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    sourcemap: false,
    // tools/build-screens.ts weighs with it what each screen loads.
    manifest: true,
    // What the kit's door names but the frame does not use stays out of the first load: a list is fetched with the first screen that has one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One larger file compresses better than many small ones: the frame, which every screen
          // needs, what opens above a page, and the icons that several screens need.
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 2 },
            {
              name: 'popups',
              test: /@mantine.core.esm.components.(Menu|Popover|Combobox|ScrollArea|Select)./,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            {
              name: 'icons',
              test: /@tabler.icons-react.dist.esm.icons/,
              minShareCount: 2,
              priority: 1,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
      treeshake: {
        moduleSideEffects: [
          { test: /\/ui\/src\/.*\.tsx?$/, sideEffects: false },
          { test: /./, sideEffects: true },
        ],
      },
    },
  },
});

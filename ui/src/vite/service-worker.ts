import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Puts the service worker that our installable applications share beside their page, as sw.js. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle() {
    const file = fileURLToPath(new URL('../service-worker.js', import.meta.url));
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: readFileSync(file, 'utf8') });
  },
});

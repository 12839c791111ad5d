import { join } from 'node:path';
import { defineConfig } from 'vite';

/** One plain script for other people's pages: no dependency, no module, nothing loaded later. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2018',
    sourcemap: false,
    lib: {
      entry: join(import.meta.dirname, 'src/main.ts'),
      formats: ['iife'],
      name: 'DNI',
      fileName: () => 'dni.js',
    },
  },
});

import { join } from 'node:path';
import { defineConfig } from 'vite';

/** One classic script for customers' pages: no dependencies, no modules, nothing loaded later. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2020',
    sourcemap: false,
    lib: {
      entry: join(import.meta.dirname, 'src/main.ts'),
      formats: ['iife'],
      name: 'DNI',
      fileName: () => 'dni.js',
    },
  },
});

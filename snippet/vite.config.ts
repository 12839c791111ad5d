import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';

const extras = readFileSync(join(import.meta.dirname, 'extras.js'));
const integrity = `sha256-${createHash('sha256').update(extras).digest('base64')}`;

/** No property of ours does anything when it is read. */
const compress = { passes: 3, pure_getters: true, unsafe_arrows: true };
/** A second pass over what Vite made smaller: two percent, of which each byte counts. */
const smaller: Plugin = {
  name: 'smaller',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = (await minify(file.code, { ecma: 2020, compress })).code ?? '';
  },
};

/** One classic script for customers' pages: no dependencies, no modules. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  define: { EXTRAS_INTEGRITY: JSON.stringify(integrity) },
  plugins: [smaller],
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

/** `npm run openapi` writes docs/openapi.json, the document that a running server answers at /api/openapi.json. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openapi } from '../server/src/platform/openapi.ts';

export const openapiText = (): string => `${JSON.stringify(openapi('http://127.0.0.1:3000'), null, 1)}\n`;

if (process.argv[1] === import.meta.filename) {
  const target = join(import.meta.dirname, '../docs/openapi.json');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, openapiText());
  console.log('docs/openapi.json written');
}

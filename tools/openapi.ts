/**
 * `npm run openapi` writes openapi.json for those who want it as a file. A running server answers the
 * same at /api/openapi.json, made from the contract each time, so that it cannot drift.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { endpoints } from '#contract';
import { openapi } from '../server/src/platform/openapi.ts';

interface Operation {
  operationId?: string;
  responses?: Record<string, unknown>;
}

const document = () =>
  openapi('http://127.0.0.1:3000') as { paths: Record<string, Record<string, Operation>> };

/** Endpoints that the document lacks or names twice, one line each. */
export function openapiOmissions(): string[] {
  const operations = Object.entries(document().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      at: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  const names = operations.map(({ operationId }) => operationId);
  return [
    ...endpoints
      .filter(({ name }) => !names.includes(name))
      .map(
        ({ name }) =>
          `${name} is not in the document; does another endpoint have its method and path?`,
      ),
    ...operations
      .filter(({ operationId }, at) => names.indexOf(operationId) !== at)
      .map(({ at, operationId }) => `${at}: the name ${operationId} is taken`),
    ...operations
      .filter(
        ({ responses }) => !Object.keys(responses ?? {}).some((status) => /^2|^302$/.test(status)),
      )
      .map(({ at }) => `${at} documents no success`),
  ];
}

/**
 * Findings of Spectral's OpenAPI rules, one line each; they also validate examples against their
 * schemas.
 */
export async function openapiFaults(): Promise<string[]> {
  const { Document, Spectral } = await import('@stoplight/spectral-core');
  const { oas } = await import('@stoplight/spectral-rulesets');
  const { Json } = await import('@stoplight/spectral-parsers');
  const linter = new Spectral();
  linter.setRuleset({ extends: oas as object as RulesetDefinition });
  const found = await linter.run(new Document(JSON.stringify(document()), Json));
  return found.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`);
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(
    join(import.meta.dirname, '../openapi.json'),
    `${JSON.stringify(document(), null, 2)}\n`,
  );
  console.log(`openapi.json written: ${endpoints.length} endpoints`);
}

import { z } from 'zod';
import type { Shape } from '#contract';

export type Json = Record<string, unknown>;

/** The JSON Schema of a contract schema, as OpenAPI tools accept it. */
export const schemaOf = (schema: Shape, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const patterns = zodSchema._zod.bag['patterns'] as Set<RegExp> | undefined;
      // JSON Schema has no pattern flags: a case-insensitive pattern would reject valid input.
      if ([...(patterns ?? [])].some(({ flags }) => flags.includes('i'))) {
        delete jsonSchema.pattern;
        delete jsonSchema.allOf;
      }
    },
  }) as Json;
  return toOpenApiSchema(json) as Json;
};

/** Removes what OpenAPI tools fail on: Unicode classes in patterns, tuples without `items`. */
function toOpenApiSchema(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(toOpenApiSchema);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).filter(
    ([key, value]) => !(key === 'pattern' && typeof value === 'string' && value.includes('\\p{')),
  );
  const tuple =
    'prefixItems' in json ? { items: {}, maxItems: (json.prefixItems as unknown[]).length } : {};
  return {
    ...Object.fromEntries(entries.map(([key, value]) => [key, toOpenApiSchema(value)])),
    ...tuple,
  };
}

import type { z } from 'zod';
import type { DescribedEndpoint } from './catalogue.ts';
import { screenFlags } from './routing/rules.ts';

/** What we read of a zod schema's definition; wrappers are optionals, defaults and the like. */
type SchemaDef =
  | { type: 'object'; shape: Record<string, z.ZodType>; catchall?: z.ZodType }
  | { type: 'array'; element: z.ZodType }
  | { type: 'pipe'; in: z.ZodType; out: z.ZodType }
  | { type: 'lazy'; getter: () => z.ZodType }
  | { type: 'union'; options: z.ZodType[] }
  | { type: 'intersection'; left: z.ZodType; right: z.ZodType }
  | { type: 'catch' | 'default' | 'nullable' | 'optional' | 'readonly'; innerType: z.ZodType }
  | { type: 'never' | 'transform' };
/** The keys from the outermost object down to a field. */
export type FieldPath = readonly [string, ...string[]];
const defOf = (schema: z.ZodType): SchemaDef => (schema as unknown as { def: SchemaDef }).def;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The schema inside defaults, optionals, transforms and pipes, which has the keys. Null when no
 * option of a union matches.
 */
function plainOf(schema: z.ZodType, value: unknown): z.ZodType | null {
  const def = defOf(schema);
  if (def.type === 'pipe')
    return plainOf(defOf(def.in).type === 'transform' ? def.out : def.in, value);
  if (def.type === 'lazy') return plainOf(def.getter(), value);
  // Of a union, the option that this value matches.
  if (def.type === 'union') {
    const fits = def.options.find((one) => one.safeParse(value).success);
    return fits ? plainOf(fits, value) : null;
  }
  return 'innerType' in def ? plainOf(def.innerType, value) : schema;
}

/** The keys of an object schema; null when it is not an object. */
export function knownKeys(schema: z.ZodType): ReadonlySet<string> | null {
  const def = defOf(plainOf(schema, undefined) ?? schema);
  return def.type === 'object' ? new Set(Object.keys(def.shape)) : null;
}

/**
 * Paths in a value that its schema does not know and would drop silently. None in schemas that
 * accept any key (records, loose objects).
 */
function unknownPaths(schema: z.ZodType, value: unknown): FieldPath[] {
  const plain = plainOf(schema, value);
  if (!plain) return [];
  const def = defOf(plain);
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((one, i) => under(String(i), unknownPaths(def.element, one)));
  if (def.type === 'intersection') {
    const right = new Set(unknownPaths(def.right, value).map((path) => path.join('.')));
    return unknownPaths(def.left, value).filter((path) => right.has(path.join('.')));
  }
  if (def.type !== 'object' || !isObject(value)) return [];
  const loose = def.catchall !== undefined && defOf(def.catchall).type !== 'never';
  const known = new Map(Object.entries(def.shape));
  return Object.entries(value).flatMap(([key, inner]): FieldPath[] => {
    const schemaOfKey = known.get(key);
    if (schemaOfKey) return under(key, unknownPaths(schemaOfKey, inner));
    return loose ? [] : [[key]];
  });
}
const under = (key: string, paths: FieldPath[]): FieldPath[] => paths.map((path) => [key, ...path]);

/** Fields that every endpoint accepts. */
const everywhere = new Set(['companyId', 'company_id', '_method', 'strict']);

/**
 * Whether an endpoint only reads, so that unknown fields are listed in `meta.ignored` (A1). Files
 * have no `meta`.
 */
export const onlyReads = (e: DescribedEndpoint): boolean =>
  (e.method === 'GET' || e.paged || e.reads) && !e.contentType && e.limit !== 'exports';

/**
 * Paths of unknown fields in a request. A body without a schema can hold anything, and nested
 * fields of the response may be sent back.
 */
export function unknownIn(
  e: DescribedEndpoint,
  asked: { query: Record<string, unknown>; body: unknown; params: Record<string, unknown> },
): FieldPath[] {
  const query: FieldPath[] = knownKeys(e.query as z.ZodType)
    ? unknownPaths(e.query as z.ZodType, asked.query)
    : Object.keys(asked.query).map((key) => [key]);
  const body = e.method === 'GET' ? [] : unknownPaths(e.body as z.ZodType, asked.body);
  return [
    ...query.filter(([key]) => !everywhere.has(key)),
    // A body may repeat an ID of the path.
    ...body.filter((path) =>
      path.length > 1
        ? !screenFlags.includes(lastKey(path)) &&
          !keysWithin(e.answer as z.ZodType).has(lastKey(path))
        : !everywhere.has(path[0]) &&
          String(asked.params[path[0]]) !== String(field(asked.body, path[0])),
    ),
  ];
}
const lastKey = ([first, ...more]: FieldPath): string => more.at(-1) ?? first;
const field = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** Normalizes a key for comparison: lower case, no separators, no plural. */
const spelling = (key: string) => key.toLowerCase().replace(/[_-]/g, '').replace(/s$/, '');

/** The sentence for an unknown field, with the probable intended one. */
export function unknownField(e: DescribedEndpoint, path: FieldPath): string {
  const key = lastKey(path);
  if (path.length === 1 && key === 'include')
    return 'Nothing can be included here. Leave out `include`.';
  const known = [...keysAt(e.query as z.ZodType, path), ...keysAt(e.body as z.ZodType, path)];
  const meant = known.find((one) => spelling(one) === spelling(key));
  return `There is no field named ${key}.${meant ? ` Did you mean ${meant}?` : ' Check its spelling, or leave it out.'}`;
}
/** The keys that a schema knows at the end of a path. */
function keysAt(schema: z.ZodType, path: readonly string[]): string[] {
  let at = schema;
  for (const key of path.slice(0, -1)) {
    const def: SchemaDef = defOf(plainOf(at, undefined) ?? at);
    const next: z.ZodType | undefined =
      def.type === 'array' ? def.element : def.type === 'object' ? def.shape[key] : undefined;
    if (!next) return [];
    at = next;
  }
  return [...(knownKeys(at) ?? [])];
}

/** All keys of a response schema, at any depth. */
function keysWithin(schema: z.ZodType, found = new Set<string>()): ReadonlySet<string> {
  const def = defOf(schema);
  if (def.type === 'object') for (const key of Object.keys(def.shape)) found.add(key);
  for (const inner of schemasIn(def)) keysWithin(inner, found);
  return found;
}

/** The schemas that a schema is made of; a lazy one is not opened, for it may hold itself. */
function schemasIn(def: SchemaDef): readonly z.ZodType[] {
  if ('innerType' in def) return [def.innerType];
  switch (def.type) {
    case 'object':
      return Object.values(def.shape);
    case 'array':
      return [def.element];
    case 'pipe':
      return [def.in, def.out];
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    default:
      return [];
  }
}

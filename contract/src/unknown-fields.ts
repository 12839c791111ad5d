import type { z } from 'zod';
import type { DescribedEndpoint } from './catalogue.ts';
import { screenFlags } from './routing/rules.ts';

interface SchemaDef {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  left?: z.ZodType;
  right?: z.ZodType;
  getter?: () => z.ZodType;
}
const defOf = (schema: z.ZodType): SchemaDef => (schema as unknown as { def: SchemaDef }).def;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The schema inside defaults, optionals, transforms and pipes, which has the keys. Null when no
 * option of a union matches.
 */
function plainOf(schema: z.ZodType, value: unknown): z.ZodType | null {
  const def = defOf(schema);
  if (def.type === 'pipe' && def.in && def.out)
    return plainOf(defOf(def.in).type === 'transform' ? def.out : def.in, value);
  if (def.type === 'lazy' && def.getter) return plainOf(def.getter(), value);
  // Of a union, the option that this value matches.
  if (def.type === 'union') {
    const fits = def.options?.find((one) => one.safeParse(value).success);
    return fits ? plainOf(fits, value) : null;
  }
  return def.innerType ? plainOf(def.innerType, value) : schema;
}

/** The keys of an object schema; null when it is not an object. */
export function knownKeys(schema: z.ZodType): ReadonlySet<string> | null {
  const def = defOf(plainOf(schema, undefined) ?? schema);
  return def.type === 'object' ? new Set(Object.keys(def.shape ?? {})) : null;
}

/**
 * Paths in a value that its schema does not know and would drop silently. None in schemas that
 * accept any key (records, loose objects).
 */
function unknownPaths(schema: z.ZodType, value: unknown, at: readonly string[] = []): string[][] {
  const plain = plainOf(schema, value);
  if (!plain) return [];
  const def = defOf(plain);
  const { element, left, right, shape } = def;
  if (def.type === 'array' && element && Array.isArray(value))
    return value.flatMap((one, i) => unknownPaths(element, one, [...at, String(i)]));
  if (def.type === 'intersection' && left && right) {
    const unknownRight = new Set(unknownPaths(right, value, at).map((path) => path.join('.')));
    return unknownPaths(left, value, at).filter((path) => unknownRight.has(path.join('.')));
  }
  if (def.type !== 'object' || !isObject(value)) return [];
  const loose = def.catchall !== undefined && defOf(def.catchall).type !== 'never';
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = shape && Object.hasOwn(shape, key) ? shape[key] : null;
    return known ? unknownPaths(known, inner, [...at, key]) : loose ? [] : [[...at, key]];
  });
}

// A path names at least one key.
const firstKey = (path: readonly string[]): string => path[0]!;
const lastKey = (path: readonly string[]): string => path.at(-1)!;

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
): string[][] {
  const query = knownKeys(e.query as z.ZodType)
    ? unknownPaths(e.query as z.ZodType, asked.query)
    : Object.keys(asked.query).map((key) => [key]);
  const body = e.method === 'GET' ? [] : unknownPaths(e.body as z.ZodType, asked.body);
  return [
    ...query.filter((path) => !everywhere.has(firstKey(path))),
    // A body may repeat an ID of the path.
    ...body.filter((path) =>
      path.length > 1
        ? !screenFlags.includes(lastKey(path)) &&
          !keysWithin(e.answer as z.ZodType).has(lastKey(path))
        : !everywhere.has(firstKey(path)) &&
          String(asked.params[firstKey(path)]) !== String(field(asked.body, firstKey(path))),
    ),
  ];
}
const field = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** Normalizes a key for comparison: lower case, no separators, no plural. */
const spelling = (key: string) => key.toLowerCase().replace(/[_-]/g, '').replace(/s$/, '');

/** The sentence for an unknown field, with the probable intended one. */
export function unknownField(e: DescribedEndpoint, path: readonly string[]): string {
  const key = lastKey(path);
  if (path.length === 1 && key === 'include')
    return 'Nothing can be included here. Leave out `include`.';
  const known = [...keysAt(e.query as z.ZodType, path), ...keysAt(e.body as z.ZodType, path)];
  const meant = known.find((one) => spelling(one) === spelling(key));
  return `There is no field named ${key}.${meant ? ` Did you mean ${meant}?` : ' Check its spelling, or leave it out.'}`;
}
/** The keys that a schema knows at the end of a path. */
function keysAt(schema: z.ZodType, path: readonly string[]): string[] {
  let at: z.ZodType | undefined = schema;
  for (const key of path.slice(0, -1)) {
    const def: SchemaDef | null = at ? defOf(plainOf(at, undefined) ?? at) : null;
    at = def?.type === 'array' ? def.element : def?.shape?.[key];
  }
  return at ? [...(knownKeys(at) ?? [])] : [];
}

/** All keys of a response schema, at any depth. */
function keysWithin(schema: z.ZodType, found = new Set<string>()): ReadonlySet<string> {
  const def = defOf(schema);
  for (const [key, inner] of Object.entries(def.shape ?? {})) {
    found.add(key);
    keysWithin(inner, found);
  }
  for (const inner of [
    def.element,
    def.innerType,
    def.in,
    def.out,
    def.left,
    def.right,
    ...(def.options ?? []),
  ])
    if (inner) keysWithin(inner, found);
  return found;
}

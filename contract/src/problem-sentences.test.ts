import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from './index.ts';
import { fieldErrors } from './problem-sentences.ts';

/** Values that hardly any field accepts, one per type. */
const wrong: unknown[] = [
  undefined,
  null,
  '',
  '   ',
  'x',
  'x'.repeat(12_000),
  -1,
  0.5,
  1e300,
  NaN,
  true,
  [],
  [null],
  [{}],
  ['x', 'x'],
  Array(1200).fill(1),
  {},
  { a: 1 },
];
interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  left?: z.ZodType;
  right?: z.ZodType;
  valueType?: z.ZodType;
}
const defOf = (schema: z.ZodType) => (schema as unknown as { def: Def }).def;
/** A schema and all schemas nested in it. */
function within(schema: z.ZodType): z.ZodType[] {
  const def = defOf(schema);
  return [
    schema,
    ...[
      ...Object.values(def.shape ?? {}),
      def.innerType,
      def.element,
      def.in,
      def.out,
      def.left,
      def.right,
      def.valueType,
      ...(def.options ?? []),
    ].flatMap((one) => (one && defOf(one).type !== 'transform' ? within(one) : [])),
  ];
}
const programmers =
  /invalid|expected|received|input|undefined|\bnull\b|NaN|\bstring\b|\bboolean\b|\barray\b|regex|pattern|zod|characters\(s\)|>=|<=/i;

test('every 422 of the contract has a plain sentence', () => {
  const said = new Map<string, string>();
  const seen = new Set<z.ZodType>();
  for (const e of endpoints) {
    for (const [where, schema] of [
      ['query', e.query],
      ['body', e.body],
    ] as const) {
      for (const one of within(schema as z.ZodType)) {
        if (seen.has(one)) continue;
        seen.add(one);
        for (const value of wrong) {
          const read = one.safeParse(value);
          if (read.success) continue;
          for (const sentence of Object.values(fieldErrors(read.error)).flat())
            said.set(sentence, `${e.name} ${where}`);
        }
      }
    }
  }
  expect(said.size).toBeGreaterThan(50);
  const odd = [...said].filter(
    ([sentence]) =>
      programmers.test(sentence.replace(/^Choose one of these: .*/, '')) ||
      !/^["“A-Z0-9]/.test(sentence) ||
      !/[.!?]$/.test(sentence),
  );
  expect(odd).toEqual([]);
});

const told = (schema: z.ZodType, value: unknown) => {
  const read = schema.safeParse(value);
  return read.success ? null : fieldErrors(read.error);
};
test('a missing field, an invalid choice and an invalid address have their own sentences', () => {
  const schema = z.object({
    name: z.string().min(1),
    email: z.union([z.literal(''), z.email()]),
    gender: z.enum(['Male', 'Female', 'Other']),
    size: z.number().min(3),
    tags: z.array(z.union([z.string().max(5), z.object({ id: z.number() })])),
  });
  expect(
    told(schema, { email: 'a@', gender: 'x', size: 1, tags: ['longer than that', { id: 'x' }] }),
  ).toEqual({
    name: ['This field is required.'],
    email: ['Enter an email address.'],
    gender: ['Choose one of these: Male, Female, Other.'],
    size: ['Enter 3 or more.'],
    'tags.0': ['Enter at most 5 characters.'],
    'tags.1.id': ['Enter a number.'],
  });
});
test('a schema’s own sentence is kept', () => {
  expect(
    told(
      z.object({
        n: z.union([z.string().min(1, 'Name it.'), z.number()], 'Give it a name or a number.'),
      }),
      { n: [] },
    ),
  ).toEqual({ n: ['Give it a name or a number.'] });
  expect(told(z.string().min(1, 'Name it'), '')).toEqual({ body: ['Name it.'] });
});

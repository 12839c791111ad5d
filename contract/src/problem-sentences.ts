import { z } from 'zod';

/** Sentences for zod's issues, used for 422 responses wherever a schema has no message. */

type Issue = { code: string; input?: unknown; message?: string; path?: PropertyKey[] } & Record<
  string,
  unknown
>;

const dateProblem = 'Enter a date, such as 2026-11-21.';
const formats: Record<string, string> = {
  email: 'Enter an email address.',
  url: 'Enter a web address, such as https://example.com.',
  uuid: 'This ID isn’t valid. Check it and try again.',
  datetime: 'Enter a date and time, such as 2026-11-21T09:15:00Z.',
  date: dateProblem,
  time: 'Enter a time, such as 09:15.',
};
const kinds: Record<string, string> = {
  string: 'Enter text.',
  number: 'Enter a number.',
  int: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  date: dateProblem,
  array: 'Send a list.',
  tuple: 'Send a list.',
  object: 'Send fields with their values.',
  record: 'Send fields with their values.',
};
const count = (n: unknown) => Number(n).toLocaleString('en-US');

function tooSmall({ origin, minimum, inclusive }: Issue): string {
  if (origin === 'string')
    return Number(minimum) > 1
      ? `Enter at least ${count(minimum)} characters.`
      : 'This field is required.';
  if (origin === 'array' || origin === 'set')
    return Number(minimum) > 1 ? `Choose at least ${count(minimum)}.` : 'Choose at least one.';
  if (origin === 'date') return 'Choose a later date.';
  return inclusive === false
    ? `Enter a number above ${count(minimum)}.`
    : `Enter ${count(minimum)} or more.`;
}
function tooBig({ origin, maximum, inclusive }: Issue): string {
  if (origin === 'string') return `Enter at most ${count(maximum)} characters.`;
  if (origin === 'array' || origin === 'set') return `Send at most ${count(maximum)}.`;
  if (origin === 'date') return 'Choose an earlier date.';
  return inclusive === false
    ? `Enter a number below ${count(maximum)}.`
    : `Enter ${count(maximum)} or less.`;
}
function oneOf(values: readonly unknown[]): string {
  const words = values.filter((one) => one !== '' && one !== null && one !== undefined).map(String);
  if (!words.length) return 'Leave this empty.';
  if (words.length > 12) return 'Choose one from the list.';
  return words.length === 1
    ? `This must be ${words[0]}.`
    : `Choose one of these: ${words.join(', ')}.`;
}

/** The sentence for an issue whose schema has no message. */
function sentenceOf(issue: Issue): string {
  const missing = issue.input === undefined || issue.input === null || issue.input === '';
  switch (issue.code) {
    case 'invalid_type':
      return missing
        ? 'This field is required.'
        : (kinds[String(issue['expected'])] ?? 'Check this value.');
    case 'invalid_value':
      return missing ? 'Choose an option.' : oneOf(issue['values'] as unknown[]);
    case 'invalid_format':
      return formats[String(issue['format'])] ?? 'Check the format.';
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'not_multiple_of':
      return `Enter a multiple of ${count(issue['divisor'])}.`;
    case 'unrecognized_keys':
      return `There is no field named ${(issue['keys'] as string[]).join(', ')}.`;
    case 'invalid_key':
      return 'Check the field names.';
    default:
      return 'Check this value.';
  }
}
z.config({ customError: (issue) => sentenceOf(issue as Issue) });

/** The issues of the union option that matched best: the option whose issue is deepest. */
function closest(options: readonly Issue[][]): Issue[] {
  const fitness = (issues: readonly Issue[]) => {
    const atRoot = issues.some(
      (one) => !one.path?.length && (one.code === 'invalid_type' || one.code === 'invalid_value'),
    );
    return (
      (atRoot ? 0 : 1000) +
      Math.max(0, ...issues.map((one) => one.path?.length ?? 0)) * 10 -
      issues.length
    );
  };
  return [...options].sort((a, b) => fitness(b) - fitness(a))[0] ?? [];
}

/** A zod error as `errors` of A1: field path → sentences. */
export function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const add = (issue: Issue, before: readonly PropertyKey[]): void => {
    const path = [...before, ...(issue.path ?? [])];
    const inner =
      issue.code === 'invalid_union' ? closest((issue['errors'] ?? []) as Issue[][]) : [];
    // A message of the union itself is more specific than those of its options.
    const ownWords = issue.message !== undefined && issue.message !== sentenceOf(issue);
    if (inner.length && !ownWords) {
      for (const one of inner) add(one, path);
      return;
    }
    const text = issue.message ?? sentenceOf(issue);
    const at = path.join('.') || 'body';
    const said = /[.!?]$/.test(text) ? text : `${text}.`;
    if (!errors[at]?.includes(said)) (errors[at] ??= []).push(said);
  };
  for (const issue of error.issues) add(issue as unknown as Issue, []);
  return errors;
}

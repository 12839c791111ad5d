import { settingRules, type SettingKey } from '#contract/settings/rules';

/** One field of a change, with its values as text. Null: it had none. */
interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text: lists of plain values with commas, everything else that is deep as JSON. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.length ? value.join(', ') : null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}

/** Fields by their path; objects two levels deep are opened. */
function flatten(value: unknown, path = '', depth = 0): Map<string, unknown> {
  if (!isObject(value) || depth > 2) return new Map([[path || 'value', value]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...flatten(inner, path ? `${path}.${key}` : key, depth + 1),
    ]),
  );
}

/** The fields that differ between before and after, in their order; a field of one side counts. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [before ?? {}, after ?? {}].map((value) => flatten(value)) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: textOf(was.get(field)), after: textOf(is.get(field)) }))
    .filter((change) => change.before !== change.after);
}

/** A setting as its page calls it, or the field in words: `Redact ssn` for `redact_ssn`. */
export const fieldName = (path: string): string => {
  if (path in settingRules) return settingRules[path as SettingKey].label;
  const words = path
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[._]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

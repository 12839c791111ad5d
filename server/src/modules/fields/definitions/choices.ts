import type { FieldChoice } from '#contract/fields/rules';
import { mustBe } from '../../../platform/must-be.ts';

export interface ChoiceInput {
  id?: number | undefined;
  value: string;
  sort_order?: number | undefined;
  description: string;
}
type Numbered = ChoiceInput & { sort_order: number };

/**
 * The new choices: sorted by `sort_order` where all have one (A §5), else in the given order, numbered
 * from 1. Known IDs are kept; other choices get one of `freshIds`. Duplicate texts are errors.
 */
export function resolveChoices(
  input: readonly ChoiceInput[],
  before: readonly FieldChoice[],
  freshIds: readonly number[],
): { choices: FieldChoice[] } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const seen = new Set<string>();
  input.forEach((one, i) => {
    const word = one.value.toLowerCase();
    if (seen.has(word))
      errors[`choices.${i}.value`] = 'Another choice has this text. Enter a different one.';
    seen.add(word);
  });
  if (Object.keys(errors).length) return { errors };
  const numbered = input.every((one): one is Numbered => one.sort_order !== undefined)
    ? [...input].sort((a, b) => a.sort_order - b.sort_order)
    : input.map((one, i) => ({ ...one, sort_order: i + 1 }));
  const known = new Set(before.map((c) => c.id));
  const unusedIds = [...freshIds];
  return {
    choices: numbered.map((one) => ({
      id:
        one.id !== undefined && known.delete(one.id)
          ? one.id
          : mustBe(unusedIds.shift(), 'unused ID'),
      value: one.value,
      sort_order: one.sort_order,
      description: one.description,
    })),
  };
}

export interface Replacement {
  from: number;
  to: number | null;
}
/** Removed choices that objects still have and `replacements` doesn't replace. */
export function choicesNeedingReplacement(
  before: readonly FieldChoice[],
  after: readonly FieldChoice[],
  used: ReadonlyMap<number, number>,
  replacements: readonly Replacement[],
): (FieldChoice & { used: number })[] {
  const stays = new Set(after.map((c) => c.id));
  const replaced = new Set(
    replacements.filter((r) => r.to === null || stays.has(r.to)).map((r) => r.from),
  );
  return before
    .map((c) => ({ ...c, used: used.get(c.id) ?? 0 }))
    .filter((c) => !stays.has(c.id) && c.used > 0 && !replaced.has(c.id));
}

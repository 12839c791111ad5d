import { fields as contract, type Body } from '#contract';
import {
  canBeUnique,
  isBlank,
  readValue,
  type EntityTypeId,
  type FieldChoice,
  type FieldValueType,
} from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { resolveChoices, type Replacement, type ChoiceInput } from './choices.ts';
import { nextIds, type FieldRow } from './store.ts';

type FieldBody = Omit<Body<typeof contract.updateField>, 'replacements'>;

type ResolvedField = {
  choices: FieldChoice[];
  default_value: FieldValueType | null;
  is_unique: boolean;
};
/** Choices, default and uniqueness after the change. Fails with 422 at the field that is wrong. */
export async function resolveField(
  ctx: TxCtx,
  entityTypeId: EntityTypeId,
  input: FieldBody,
  before: Pick<FieldRow, 'type' | 'choices' | 'default_value' | 'is_unique'>,
  replacements: readonly Replacement[] = [],
): Promise<ResolvedField> {
  const type = input.type ?? before.type;
  const choices =
    type !== 'enum'
      ? []
      : input.choices === undefined
        ? [...before.choices]
        : await readChoices(ctx, input.choices, before.choices);
  if (type === 'enum' && choices.length === 0) invalid({ choices: 'Add at least one choice.' });
  const is_unique = input.is_unique ?? (before.is_unique && type === before.type);
  if (is_unique && (!canBeUnique.includes(type) || entityTypeId === 4))
    invalid({ is_unique: 'Only numbers, dates, phone numbers and keywords can be unique.' });
  const default_value =
    input.defaultValue !== undefined
      ? readDefault(type, choices, input.defaultValue)
      : type === before.type
        ? keptDefault(type, choices, before.default_value, replacements)
        : null;
  if (is_unique && default_value !== null)
    invalid({ defaultValue: 'A unique field can’t have a default.' });
  return { choices, default_value, is_unique };
}
/**
 * The choices of a field as sent, with IDs for new ones. Fails with a field error per invalid
 * choice.
 */
export async function readChoices(
  ctx: TxCtx,
  input: readonly ChoiceInput[],
  before: readonly FieldChoice[],
): Promise<FieldChoice[]> {
  const resolved = resolveChoices(input, before, await nextIds(ctx.tx, input.length));
  return 'errors' in resolved ? invalid(resolved.errors) : resolved.choices;
}
/**
 * The default value of a field as sent. Null: none; fails with a field error when its type doesn't
 * accept it.
 */
export function readDefault(
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  input: unknown,
): FieldValueType | null {
  if (isBlank(input)) return null;
  const read = readValue({ type, choices }, input);
  return 'error' in read ? invalid({ defaultValue: read.error }) : read.value;
}
const keptDefault = (
  type: FieldRow['type'],
  choices: readonly FieldChoice[],
  value: FieldValueType | null,
  replacements: readonly Replacement[],
): FieldValueType | null => {
  if (type !== 'enum' || choices.some((c) => c.id === value)) return value;
  const instead = replacements.find((r) => r.from === value)?.to ?? null;
  return choices.some((c) => c.id === instead) ? instead : null;
};

import { kindOfAttribute, ruleFields, type RuleKind } from '#contract/contacts/rules';
import { entityOf } from '#contract/fields/rules';
import { t } from '#ui';
import { useFields } from '../fields/index.ts';
import { useSorting } from './use-sorting.ts';
import {
  ruleLineText,
  ruleChoiceName,
  ruleFieldName,
  type Rule,
  type RuleCondition,
} from './labels.ts';

/** Names, kinds and choices of the fields that a rule can use, including custom fields. */
export function useRuleText() {
  const { fields } = useFields(entityOf.contact);
  const sorting = useSorting();
  const custom = (field: string) => fields.find((f) => `custom:${f.id}` === field);
  const kind = (field: string): RuleKind | null =>
    ruleFields[field]?.kind ?? kindOfAttribute[custom(field)?.type ?? ''] ?? null;
  const name = (field: string): string => custom(field)?.name ?? ruleFieldName(field);
  const choices = (field: string): { value: string; label: string }[] =>
    field === 'group'
      ? sorting.plainOptions
      : field === 'label'
        ? sorting.labelOptions
        : custom(field)
          ? custom(field)!.choices.map((c) => ({ value: c.value, label: c.value }))
          : (ruleFields[field]?.choices ?? []).map((c) => ({
              value: c,
              label: ruleChoiceName(field, c),
            }));
  const value = (line: RuleCondition): string => {
    const list = Array.isArray(line.value) ? line.value : [line.value];
    const words = list.map(
      (v) => choices(line.field).find((c) => c.value === String(v))?.label ?? String(v ?? ''),
    );
    return line.op.endsWith('within_days')
      ? t('{n, plural, one {# day} other {# days}}', { n: Number(words[0] ?? 0) })
      : words.join(', ');
  };
  const options = [
    ...Object.keys(ruleFields).map((key) => ({ value: key, label: ruleFieldName(key) })),
    ...fields
      .filter((f) => f.is_filterable)
      .map((f) => ({ value: `custom:${f.id}`, label: f.name })),
  ];
  return {
    kind,
    name,
    choices,
    options,
    words: (rule: Rule) =>
      rule.all.map((line) => ruleLineText(line, { kind, field: name, value })).join(' · '),
  };
}

import { ActionIcon, Select, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ruleOps, takesValue, type RuleKind } from '#contract/contacts/rules';
import { t } from '#ui';
import { ConditionValue } from './ConditionValue.tsx';
import type { RuleCondition } from './labels.ts';
import css from './contacts.module.css';
import type { useRuleText } from './use-rule-text.ts';

const firstOp = (kind: RuleKind | null): string => Object.keys(ruleOps[kind ?? 'text'])[0] ?? 'is';
/** A condition on the field, with the first operator of its kind and an empty value. */
export const newCondition = (field: string, kind: RuleKind | null): RuleCondition => ({
  field,
  op: firstOp(kind),
  value: kind === 'flag' ? true : kind === 'date' ? 30 : '',
});
/** One condition of a rule: field, operator and value. `error`: the server's error, if any. */
export function ConditionRow({
  line,
  position,
  words,
  error,
  onChange,
  onRemove,
}: {
  line: RuleCondition;
  /** From 1. */
  position: number;
  words: ReturnType<typeof useRuleText>;
  error: string | undefined;
  onChange: (line: RuleCondition) => void;
  onRemove: () => void;
}) {
  const kind = words.kind(line.field);
  return (
    <div className={css.condition} role="group" aria-label={t('Condition {n}', { n: position })}>
      <Select
        aria-label={t('Content')}
        searchable
        allowDeselect={false}
        data={words.options}
        value={line.field}
        error={error && ' '}
        onChange={(field) => field && onChange(newCondition(field, words.kind(field)))}
      />
      {kind !== 'flag' && <OperatorSelect line={line} kind={kind} onChange={onChange} />}
      <ConditionValue
        line={line}
        kind={kind}
        choices={words.choices(line.field)}
        onChange={(value) => onChange({ ...line, value })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t('Remove condition {n}', { n: position })}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
      {error && (
        <Text size="sm" c="var(--tl-danger)" className={css.wrong}>
          {error}
        </Text>
      )}
    </div>
  );
}

function valueFor(op: string, line: RuleCondition, kind: RuleKind | null): RuleCondition['value'] {
  if (!takesValue(op)) return null;
  if (op === 'in')
    return Array.isArray(line.value) ? line.value : line.value ? [String(line.value)] : [];
  if (op.endsWith('within_days')) return typeof line.value === 'number' ? line.value : 30;
  if (kind === 'date') return typeof line.value === 'string' ? line.value : '';
  return Array.isArray(line.value) ? (line.value[0] ?? '') : (line.value ?? '');
}

function OperatorSelect({
  line,
  kind,
  onChange,
}: {
  line: RuleCondition;
  kind: RuleKind | null;
  onChange: (line: RuleCondition) => void;
}) {
  return (
    <Select
      aria-label={t('Mode')}
      allowDeselect={false}
      data={Object.entries(ruleOps[kind ?? 'text']).map(([value, label]) => ({
        value,
        label: t(label),
      }))}
      value={line.op}
      onChange={(op) => op && onChange({ ...line, op, value: valueFor(op, line, kind) })}
    />
  );
}

import { ActionIcon, MultiSelect, Select, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ruleOps, takesValue, type RuleKind } from '#contract/contacts/rules';
import { NumberInput, t } from '#ui';
import type { RuleCondition } from './labels.ts';
import css from './contacts.module.css';
import type { useRuleText } from './use-rule-text.ts';

const firstOp = (kind: RuleKind | null): string => Object.keys(ruleOps[kind ?? 'text'])[0]!;
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
      {kind !== 'flag' && (
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
      )}
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

function ConditionValue({
  line,
  kind,
  choices,
  onChange,
}: {
  line: RuleCondition;
  kind: RuleKind | null;
  choices: { value: string; label: string }[];
  onChange: (value: RuleCondition['value']) => void;
}) {
  const shared = { 'aria-label': t('Value'), className: css.value! };
  if (kind === 'flag')
    return (
      <Select
        {...shared}
        allowDeselect={false}
        data={[
          { value: 'yes', label: t('Yes') },
          { value: 'no', label: t('No') },
        ]}
        value={line.value === true ? 'yes' : 'no'}
        onChange={(v) => onChange(v === 'yes')}
      />
    );
  if (!takesValue(line.op)) return <span className={css.value} />;
  if (line.op.endsWith('within_days'))
    return (
      <NumberInput
        {...shared}
        min={1}
        max={36_500}
        suffix={` ${t('days')}`}
        value={Number(line.value ?? 30)}
        onChange={(v) => onChange(v === '' ? '' : Number(v))}
      />
    );
  if (kind === 'date')
    return (
      <TextInput
        {...shared}
        type="date"
        value={String(line.value ?? '')}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        {...shared}
        hideControls
        value={line.value === null ? '' : String(line.value)}
        onChange={(v) => onChange(v === '' ? '' : Number(v))}
      />
    );
  if (line.op === 'in')
    return (
      <MultiSelect
        {...shared}
        data={choices}
        value={Array.isArray(line.value) ? line.value : []}
        onChange={onChange}
      />
    );
  if (kind === 'choice' || kind === 'member')
    return (
      <Select
        {...shared}
        searchable
        allowDeselect={false}
        placeholder={choices.length ? t('Choose') : t('None yet')}
        data={choices}
        value={line.value === null || line.value === '' ? null : String(line.value)}
        onChange={(v) => onChange(kind === 'member' ? (v === null ? '' : Number(v)) : (v ?? ''))}
      />
    );
  return (
    <TextInput
      {...shared}
      maxLength={300}
      value={String(line.value ?? '')}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

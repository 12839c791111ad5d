import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import { contacts } from '#contract';
import {
  kindOfAttribute,
  ruleFields,
  ruleOps,
  takesValue,
  type RuleKind,
} from '#contract/contacts/rules';
import { entityOf } from '#contract/fields/rules';
import { formatNumber, NumberInput, t, useApiQuery, useCompanyId } from '#ui';
import { useFields } from '../fields/index.ts';
import { useSorting } from './use-sorting.ts';
import {
  ruleLineText,
  ruleChoiceName,
  ruleFieldName,
  type Rule,
  type RuleCondition,
} from './labels.ts';
import css from './contacts.module.css';

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

const firstOp = (kind: RuleKind | null): string => Object.keys(ruleOps[kind ?? 'text'])[0]!;
const newCondition = (field: string, kind: RuleKind | null): RuleCondition => ({
  field,
  op: firstOp(kind),
  value: kind === 'flag' ? true : kind === 'date' ? 30 : '',
});
/** Drops incomplete conditions, so that the count works while one is being edited. */
const withoutIncomplete = (rule: Rule): Rule => ({
  all: rule.all.filter(
    (l) =>
      !takesValue(l.op) ||
      (l.value !== '' &&
        l.value !== null &&
        l.value !== undefined &&
        !(Array.isArray(l.value) && !l.value.length)),
  ),
});

/**
 * Edits the conditions of a virtual group and shows how many contacts match. `errors`: the server's
 * errors by `rule.all.<n>.<part>`.
 */
export function RuleBuilder({
  rule,
  onChange,
  errors = {},
}: {
  rule: Rule;
  onChange: (rule: Rule) => void;
  errors?: Readonly<Record<string, string>>;
}) {
  const words = useRuleText();
  const companyId = useCompanyId() ?? 0;
  const [asked] = useDebouncedValue(JSON.stringify(withoutIncomplete(rule)), 300);
  const ready = JSON.parse(asked) as Rule;
  const { response, loading } = useApiQuery(
    contacts.countContacts,
    { params: { companyId }, body: { filters: { rule: ready } } },
    { enabled: ready.all.length > 0, silent: true },
  );
  const set = (i: number, line: RuleCondition): void =>
    onChange({ all: rule.all.map((one, n) => (n === i ? line : one)) });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('Contacts that match all conditions')}
      </Text>
      {rule.all.map((line, i) => {
        const kind = words.kind(line.field);
        const error = ['field', 'op', 'value']
          .map((part) => errors[`rule.all.${i}.${part}`])
          .find(Boolean);
        return (
          <div
            key={i}
            className={css.condition}
            role="group"
            aria-label={t('Condition {n}', { n: i + 1 })}
          >
            <Select
              aria-label={t('Content')}
              searchable
              allowDeselect={false}
              data={words.options}
              value={line.field}
              error={error && ' '}
              onChange={(field) => field && set(i, newCondition(field, words.kind(field)))}
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
                onChange={(op) => op && set(i, { ...line, op, value: valueFor(op, line, kind) })}
              />
            )}
            <ConditionValue
              line={line}
              kind={kind}
              choices={words.choices(line.field)}
              onChange={(value) => set(i, { ...line, value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={t('Remove condition {n}', { n: i + 1 })}
              onClick={() => onChange({ all: rule.all.filter((_, n) => n !== i) })}
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
      })}
      <Group justify="space-between">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rule.all.length >= 20}
          onClick={() => onChange({ all: [...rule.all, newCondition('city', 'text')] })}
        >
          {t('Add a condition')}
        </Button>
        <Text size="sm" role="status" c={loading ? 'dimmed' : 'var(--tl-text)'}>
          {ready.all.length === 0
            ? rule.all.length === 0
              ? t('Add a condition to see who matches.')
              : t('Complete the condition to see who matches.')
            : response
              ? t(
                  '{n, plural, one {# contact matches now} other {# contacts match now}}, {active} can receive texts',
                  {
                    n: response.data.total,
                    active: formatNumber(response.data.active),
                  },
                )
              : ''}
        </Text>
      </Group>
    </Stack>
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

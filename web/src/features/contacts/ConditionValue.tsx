import { MultiSelect, Select, TextInput } from '@mantine/core';
import { takesValue, type RuleKind } from '#contract/contacts/rules';
import { NumberInput, t } from '#ui';
import type { RuleCondition } from './labels.ts';
import css from './contacts.module.css';

interface ConditionValueProps {
  line: RuleCondition;
  kind: RuleKind | null;
  choices: { value: string; label: string }[];
  onChange: (value: RuleCondition['value']) => void;
}

const shared = () => ({ 'aria-label': t('Value'), className: css.value ?? '' });

/** The value of a condition, in the control of the field's kind and the operator. */
export function ConditionValue(props: ConditionValueProps) {
  const { line, kind } = props;
  if (kind === 'flag') return <FlagValue {...props} />;
  if (!takesValue(line.op)) return <span className={css.value} />;
  if (line.op.endsWith('within_days')) return <DaysValue {...props} />;
  if (kind === 'date') return <TextValue {...props} type="date" />;
  if (kind === 'number') return <NumberValue {...props} />;
  if (line.op === 'in') return <ChoicesValue {...props} />;
  if (kind === 'choice' || kind === 'member') return <ChoiceValue {...props} />;
  return <TextValue {...props} maxLength={300} />;
}

const FlagValue = ({ line, onChange }: ConditionValueProps) => (
  <Select
    {...shared()}
    allowDeselect={false}
    data={[
      { value: 'yes', label: t('Yes') },
      { value: 'no', label: t('No') },
    ]}
    value={line.value === true ? 'yes' : 'no'}
    onChange={(v) => onChange(v === 'yes')}
  />
);

const DaysValue = ({ line, onChange }: ConditionValueProps) => (
  <NumberInput
    {...shared()}
    min={1}
    max={36_500}
    suffix={` ${t('days')}`}
    value={Number(line.value ?? 30)}
    onChange={(v) => onChange(v === '' ? '' : Number(v))}
  />
);

const NumberValue = ({ line, onChange }: ConditionValueProps) => (
  <NumberInput
    {...shared()}
    hideControls
    value={line.value === null ? '' : String(line.value)}
    onChange={(v) => onChange(v === '' ? '' : Number(v))}
  />
);

const ChoicesValue = ({ line, choices, onChange }: ConditionValueProps) => (
  <MultiSelect
    {...shared()}
    data={choices}
    value={Array.isArray(line.value) ? line.value : []}
    onChange={onChange}
  />
);

/** A choice of the field; a group or label is stored by its id. */
const ChoiceValue = ({ line, kind, choices, onChange }: ConditionValueProps) => (
  <Select
    {...shared()}
    searchable
    allowDeselect={false}
    placeholder={choices.length ? t('Choose') : t('None yet')}
    data={choices}
    value={line.value === null || line.value === '' ? null : String(line.value)}
    onChange={(v) => onChange(kind === 'member' && v !== null ? Number(v) : (v ?? ''))}
  />
);

const TextValue = ({
  line,
  onChange,
  type,
  maxLength,
}: ConditionValueProps & { type?: 'date'; maxLength?: number }) => (
  <TextInput
    {...shared()}
    {...(type && { type })}
    {...(maxLength && { maxLength })}
    value={String(line.value ?? '')}
    onChange={(e) => onChange(e.currentTarget.value)}
  />
);

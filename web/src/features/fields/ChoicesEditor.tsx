import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { t } from '#ui';
import { moveItem, Reorder } from '#ui/components/Reorder.tsx';
import css from './fields.module.css';

/** Identifies the row, also before it has an id. */
interface ChoiceDraft {
  key: number;
  id: number | null;
  value: string;
  description: string;
}
let last = 0;
/** A choice for the editor; `id` null is a new one. */
export const newChoice = (value = '', id: number | null = null, description = ''): ChoiceDraft => ({
  key: ++last,
  id,
  value,
  description,
});

/** Choices in order: drag or use the arrow keys to move, Enter adds one below. */
export function ChoicesEditor({
  choices,
  onChange,
  errors,
  disabled,
}: {
  choices: readonly ChoiceDraft[];
  onChange: (choices: ChoiceDraft[]) => void;
  errors: Readonly<Record<string, unknown>>;
  disabled: boolean;
}) {
  const change = (key: number, what: Partial<ChoiceDraft>): void =>
    onChange(choices.map((c) => (c.key === key ? { ...c, ...what } : c)));
  const add = (after = choices.length - 1): void =>
    onChange([...choices.slice(0, after + 1), newChoice(), ...choices.slice(after + 1)]);
  const errorText = typeof errors['choices'] === 'string' ? errors['choices'] : null;
  return (
    <Input.Wrapper label={t('Choices')} error={errorText} labelElement="div">
      <Reorder
        label={t('Choices')}
        items={choices}
        keyOf={(c) => c.key}
        nameOf={(c) => c.value || t('this choice')}
        fixed={() => disabled}
        onMove={(from, to) => onChange(moveItem(choices, from, to))}
      >
        {(choice, index) => (
          <ChoiceRow
            choice={choice}
            index={index}
            error={errors[`choices.${index}.value`] as React.ReactNode}
            disabled={disabled}
            onChange={(part) => change(choice.key, part)}
            onEnter={() => add(index)}
            onRemove={() => onChange(choices.filter((c) => c.key !== choice.key))}
          />
        )}
      </Reorder>
      {!disabled && (
        <Button
          mt={4}
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add()}
        >
          {t('Add choice')}
        </Button>
      )}
    </Input.Wrapper>
  );
}

function ChoiceRow({
  choice,
  index,
  error,
  disabled,
  onChange,
  onEnter,
  onRemove,
}: {
  choice: ChoiceDraft;
  index: number;
  error: React.ReactNode;
  disabled: boolean;
  onChange: (part: Partial<ChoiceDraft>) => void;
  onEnter: () => void;
  onRemove: () => void;
}) {
  return (
    <div className={css.choice}>
      <TextInput
        size="sm"
        aria-label={t('Choice {n}', { n: index + 1 })}
        placeholder={t('Choice')}
        maxLength={255}
        value={choice.value}
        disabled={disabled}
        autoFocus={choice.value === '' && choice.id === null && index > 0}
        error={error}
        onChange={(e) => onChange({ value: e.currentTarget.value })}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            e.preventDefault();
            onEnter();
          }
        }}
      />
      <TextInput
        size="sm"
        className={css.wide ?? ''}
        aria-label={t('Description of choice {n}', { n: index + 1 })}
        placeholder={t('Description')}
        maxLength={500}
        value={choice.description}
        disabled={disabled}
        onChange={(e) => onChange({ description: e.currentTarget.value })}
      />
      {!disabled && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('Remove choice {name}', { name: choice.value || index + 1 })}
          onClick={onRemove}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

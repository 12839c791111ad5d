import { useState } from 'react';
import {
  Button,
  Group,
  Indicator,
  MultiSelect,
  Popover,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { isBlank, type EntityTypeId } from '#contract/fields/rules';
import { NumberInput, t } from '#ui';
import { useFields, type Field } from './use-fields.tsx';

/** Custom field filters by key, in the URL's syntax (`100..`, `3,5`, `is:empty`). */
type FieldFilterValues = Record<string, string>;
/** The filters as a URL parameter: JSON, empty without filters. */
export const parseFieldFilters = (text: string): FieldFilterValues => {
  try {
    return text ? (JSON.parse(text) as FieldFilterValues) : {};
  } catch {
    return {};
  }
};
const serializeFieldFilters = (eav: FieldFilterValues): string => {
  const asked = Object.fromEntries(
    Object.entries(eav).filter(([, v]) => !isBlank(v) && v !== '..'),
  );
  return Object.keys(asked).length ? JSON.stringify(asked) : '';
};

/**
 * Filters by custom fields, behind one button. Renders nothing when no field is filterable.
 * `value`: the URL parameter.
 */
export function FieldFilters({
  entity,
  value,
  onChange,
}: {
  entity: EntityTypeId;
  value: string;
  onChange: (value: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const fields = useFields(entity).fields.filter((f) => f.is_filterable);
  const eav = parseFieldFilters(value);
  const asked = Object.keys(eav).length;
  if (!fields.length) return null;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={320}
      trapFocus
      shadow="none"
    >
      {/* The button is the target, because aria-haspopup isn't allowed on the count's box. */}
      <Indicator label={asked} size={16} disabled={!asked} color="accent">
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconFilter size={16} aria-hidden />}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('Custom fields')}
          </Button>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown
        aria-label={t('Filter by custom fields')}
        style={{ maxHeight: 420, overflowY: 'auto' }}
      >
        <Stack gap="sm">
          {fields.map((field) => (
            <FieldFilter
              key={field.id}
              field={field}
              value={eav[field.key] ?? ''}
              onChange={(next) => onChange(serializeFieldFilters({ ...eav, [field.key]: next }))}
            />
          ))}
          {asked > 0 && (
            <Button size="compact-sm" variant="subtle" onClick={() => onChange('')}>
              {t('Clear custom fields')}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function FieldFilter({
  field,
  value,
  onChange,
}: {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}) {
  const inside = { comboboxProps: { withinPortal: false }, size: 'sm' as const };
  const special = value === 'is:set' || value === 'is:empty';
  if (field.type === 'enum')
    return (
      <MultiSelect
        {...inside}
        label={field.name}
        clearable
        clearButtonProps={{ 'aria-label': t('Any {field}', { field: field.name }) }}
        placeholder={value ? '' : t('Any')}
        data={[
          { value: 'is:empty', label: t('Not set') },
          ...field.choices.map((c) => ({ value: String(c.id), label: c.value })),
        ]}
        value={value ? value.split(',') : []}
        onChange={(v) =>
          onChange(
            v.at(-1) === 'is:empty' ? 'is:empty' : v.filter((one) => one !== 'is:empty').join(','),
          )
        }
      />
    );
  if (field.type === 'boolean')
    return (
      <Select
        {...inside}
        label={field.name}
        clearable
        clearButtonProps={{ 'aria-label': t('Any {field}', { field: field.name }) }}
        placeholder={t('Any')}
        data={[
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
          { value: 'is:empty', label: t('Not set') },
        ]}
        value={value || null}
        onChange={(v) => onChange(v ?? '')}
      />
    );
  if (field.type === 'number' || field.type === 'date')
    return <RangeFilter field={field} value={special ? '' : value} onChange={onChange} />;
  return <TextFilter field={field} value={value} onChange={onChange} />;
}

/** Text is applied after a pause or on blur, not on every key. */
function TextFilter({
  field,
  value,
  onChange,
}: {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const keep = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <TextInput
      size="sm"
      label={field.name}
      placeholder={
        field.type === 'stringText'
          ? t('Contains these words')
          : field.type === 'phone'
            ? t('Number or part of it')
            : t('Starts with')
      }
      value={text}
      onChange={(e) => setText(e.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(e) => {
        if (e.key === 'Enter') keep();
      }}
    />
  );
}
function RangeFilter({
  field,
  value,
  onChange,
}: {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}) {
  const [from = '', to = ''] = value.includes('..') ? value.split('..') : [value, value];
  const [ends, setEnds] = useState({ from, to });
  const keep = (next: { from: string; to: string }): void =>
    onChange(next.from || next.to ? `${next.from}..${next.to}` : '');
  const end = (which: 'from' | 'to', label: string) => {
    const shared = {
      size: 'sm' as const,
      flex: 1,
      'aria-label': t('{field}, {end}', { field: field.name, end: label.toLowerCase() }),
      placeholder: label,
      onBlur: () => keep(ends),
      onKeyDown: (e: React.KeyboardEvent) => {
        if (e.key === 'Enter') keep(ends);
      },
    };
    return field.type === 'number' ? (
      <NumberInput
        {...shared}
        hideControls
        value={ends[which]}
        onChange={(v) => setEnds({ ...ends, [which]: String(v) })}
      />
    ) : (
      <TextInput
        {...shared}
        type="date"
        value={ends[which]}
        onChange={(e) => {
          const next = { ...ends, [which]: e.currentTarget.value };
          setEnds(next);
          keep(next);
        }}
      />
    );
  };
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {field.name}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {end('from', t('From'))}
        {end('to', t('To'))}
      </Group>
    </div>
  );
}

import { useState } from 'react';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { entityOf, type FieldValueType } from '#contract/fields/rules';
import type { numbers } from '#contract';
import { Modal, t } from '#ui';
import { FieldInput, useFields } from '../../fields/index.ts';

type Field = ReturnType<typeof useFields>['fields'][number];
interface BulkFieldProps {
  /** How many numbers are changed, as shown on screen. */
  count: string;
  size: number;
  busy: boolean;
  close: () => void;
  change: (patch: numbers.BulkPatch) => Promise<void>;
}

/**
 * Sets a custom field to the same value on many numbers; an empty value clears it on all of them.
 */
export function BulkField({ count, size: n, busy, close, change }: BulkFieldProps) {
  const { fields } = useFields(entityOf.number);
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState<FieldValueType | null>(null);
  const field = fields.find((f) => String(f.id) === chosen);
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={t(
        '{n, plural, one {Custom field for {count} number} other {Custom field for {count} numbers}}',
        { n, count },
      )}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (field) void change({ eavAttributeValues: [{ attribute_id: field.id, value }] });
        }}
      >
        <Stack gap="sm">
          <Select
            label={t('Custom field')}
            data-autofocus
            searchable
            placeholder={fields.length ? t('Choose a custom field') : t('No custom fields yet')}
            data={fields.map((f) => ({ value: String(f.id), label: f.name }))}
            value={chosen}
            onChange={(next) => {
              setChosen(next);
              setValue(null);
            }}
          />
          {field && <ValueField field={field} value={value} onChange={setValue} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!field}>
              {t('Change {n}', { n: count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function ValueField({
  field,
  value,
  onChange,
}: {
  field: Field;
  value: FieldValueType | null;
  onChange: (value: FieldValueType | null) => void;
}) {
  return (
    <>
      <FieldInput field={field} value={value} onChange={onChange} label={t('Value')} />
      {value === null && (
        <Text size="sm" c="dimmed">
          {t('Leave empty to remove it from all of them.')}
        </Text>
      )}
    </>
  );
}

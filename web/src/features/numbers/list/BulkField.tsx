import { useState } from 'react';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { entityOf, type FieldValueType } from '#contract/fields/rules';
import type { numbers } from '#contract';
import { Modal, t } from '#ui';
import { FieldInput, useFields } from '../../fields/index.ts';

/**
 * Sets a custom field to the same value on many numbers; an empty value clears it on all of them.
 */
export function BulkField({
  count,
  size: n,
  busy,
  close,
  change,
}: {
  count: string;
  size: number;
  busy: boolean;
  close: () => void;
  change: (patch: numbers.BulkPatch) => Promise<void>;
}) {
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
          {field && (
            <FieldInput field={field} value={value} onChange={setValue} label={t('Value')} />
          )}
          {field && value === null && (
            <Text size="sm" c="dimmed">
              {t('Leave empty to remove it from all of them.')}
            </Text>
          )}
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

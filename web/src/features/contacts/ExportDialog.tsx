import { useState } from 'react';
import { Button, Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { fields as fieldsContract, importing, type Answer, type BodyIn } from '#contract';
import { exportTargets, fieldPrefix, moreExportColumns } from '#contract/contacts/importing/rules';
import { Modal, t, trackBatch, useApiQuery, useCompanyId, userZone, useApiMutation } from '#ui';

/** The contacts to export, in the form of the bulk endpoints: ids, or all plus filters. */
interface ContactSelection {
  contacts?: readonly number[];
  all?: boolean;
  filters?: Record<string, unknown>;
}
const storageKey = 'trunkline.contacts-export';
const defaultColumns = [
  'name',
  'number',
  'email',
  'companyName',
  'groups',
  'labels',
  'unsubscribed',
];
const storedColumns = (): string[] => {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]') as unknown;
    return Array.isArray(stored) && stored.length ? stored.map(String) : defaultColumns;
  } catch {
    return defaultColumns;
  }
};

/** Exports the chosen contacts: which columns and which format. The file can be imported again. */
export function ExportDialog({
  which,
  count,
  close,
  done,
}: {
  which: ContactSelection;
  count: number | null;
  close: () => void;
  done?: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    fieldsContract.listFields,
    { query: { entityType: 'contact' } },
    { staleTime: 60_000, silent: true },
  );
  const custom = (response?.data ?? []) as Answer<typeof fieldsContract.listFields>['data'];
  const [columns, setColumns] = useState(storedColumns);
  const [format, setFormat] = useState('csv');
  const { mutate, isPending } = useApiMutation(importing.exportContacts);
  const offered = [
    ...exportTargets.map((c) => ({ key: c.key as string, title: t(c.title) })),
    ...moreExportColumns.map((c) => ({ key: c.key as string, title: t(c.title) })),
    ...custom.map((f) => ({ key: fieldPrefix + f.key, title: f.name })),
  ];
  const chosen = offered.filter((c) => columns.includes(c.key)).map((c) => c.key);
  const send = async (): Promise<void> => {
    const begun = await mutate({
      params: { companyId },
      body: { ...which, columns: chosen, format, tz: userZone() } as BodyIn<
        typeof importing.exportContacts
      >,
    });
    if (!begun) return;
    localStorage.setItem(storageKey, JSON.stringify(chosen));
    trackBatch({
      id: begun.data.batchId,
      of: 'contacts',
      label: t('{n, plural, one {Exporting # contact} other {Exporting # contacts}}', {
        n: begun.data.total,
      }),
      total: begun.data.total,
    });
    done?.();
    close();
  };
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={
        count === null
          ? t('Export contacts')
          : t('{n, plural, one {Export # contact} other {Export # contacts}}', { n: count })
      }
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        <Stack gap="md">
          <Checkbox.Group
            label={t('Columns')}
            value={chosen}
            onChange={setColumns}
            error={chosen.length ? undefined : t('Choose at least one column.')}
          >
            <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs" verticalSpacing={6} mt={6}>
              {offered.map((c) => (
                <Checkbox key={c.key} value={c.key} label={c.title} size="sm" />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => setColumns(offered.map((c) => c.key))}
            >
              {t('All columns')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setColumns(defaultColumns)}>
              {t('Default columns')}
            </Button>
          </Group>
          <div>
            <Text size="sm" fw={500} id="export-as" mb={4}>
              {t('Format')}
            </Text>
            <SegmentedControl
              aria-labelledby="export-as"
              value={format}
              onChange={setFormat}
              data={[
                { value: 'csv', label: 'CSV' },
                { value: 'xlsx', label: 'Excel (XLSX)' },
                { value: 'jsonl', label: t('JSON lines') },
              ]}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {format === 'jsonl'
                ? t('For developers: one contact per line.')
                : t('Can be imported again. Unchanged contacts stay as they are.')}
            </Text>
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={chosen.length === 0}>
              {t('Create file')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

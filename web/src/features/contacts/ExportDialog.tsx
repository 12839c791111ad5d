import { useState } from 'react';
import { Button, Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { fields, importing, type BodyIn } from '#contract';
import { exportTargets, fieldPrefix, moreExportColumns } from '#contract/contacts/importing/rules';
import { Modal, t, trackBatch, useApiQuery, useCompanyId, userZone, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

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

interface ExportDialogProps {
  which: ContactSelection;
  /** Null: more than are counted. */
  count: number | null;
  close: () => void;
  done?: () => void;
}

/** Exports the chosen contacts: which columns and which format. The file can be imported again. */
export function ExportDialog({ count, ...props }: ExportDialogProps) {
  const columns = useExportColumns();
  const { format, setFormat, send, isPending } = useExport(columns.chosen, props);
  return (
    <Modal
      opened
      onClose={props.close}
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
          <ColumnChoice {...columns} />
          <FormatChoice format={format} onChange={setFormat} />
          <DialogFooter onCancel={props.close}>
            <Button type="submit" loading={isPending} disabled={columns.chosen.length === 0}>
              {t('Create file')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** The columns that can be exported, custom fields last, and the chosen ones in that order. */
function useExportColumns() {
  const { response } = useApiQuery(
    fields.listFields,
    { query: { entityType: 'contact' } },
    { staleTime: 60_000, silent: true },
  );
  const [columns, setColumns] = useState(storedColumns);
  const offered = [
    ...[...exportTargets, ...moreExportColumns].map(({ key, title }) => ({
      key: String(key),
      title: t(title),
    })),
    ...(response?.data ?? []).map((f) => ({ key: fieldPrefix + f.key, title: f.name })),
  ];
  const chosen = offered.filter((c) => columns.includes(c.key)).map((c) => c.key);
  return { offered, chosen, onChange: setColumns };
}

/** The chosen format, and the request that starts the export of the columns. */
function useExport(columns: string[], { which, close, done }: Omit<ExportDialogProps, 'count'>) {
  const companyId = useCompanyId() ?? 0;
  const [format, setFormat] = useState('csv');
  const { mutate, isPending } = useApiMutation(importing.exportContacts);
  const send = async (): Promise<void> => {
    const begun = await mutate({
      params: { companyId },
      body: { ...which, columns, format, tz: userZone() } as BodyIn<
        typeof importing.exportContacts
      >,
    });
    if (!begun) return;
    localStorage.setItem(storageKey, JSON.stringify(columns));
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
  return { format, setFormat, send, isPending };
}

function ColumnChoice({ offered, chosen, onChange }: ReturnType<typeof useExportColumns>) {
  return (
    <>
      <Checkbox.Group
        label={t('Columns')}
        value={chosen}
        onChange={onChange}
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
          onClick={() => onChange(offered.map((c) => c.key))}
        >
          {t('All columns')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(defaultColumns)}>
          {t('Default columns')}
        </Button>
      </Group>
    </>
  );
}

function FormatChoice({
  format,
  onChange,
}: {
  format: string;
  onChange: (format: string) => void;
}) {
  return (
    <div>
      <Text size="sm" fw={500} id="export-as" mb={4}>
        {t('Format')}
      </Text>
      <SegmentedControl
        aria-labelledby="export-as"
        value={format}
        onChange={onChange}
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
  );
}

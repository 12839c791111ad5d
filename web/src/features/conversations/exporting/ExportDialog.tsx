import { useState } from 'react';
import { Button, Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { exporting, type BodyIn } from '#contract';
import {
  fileFormats,
  type ExportEntity,
  type FileFormat,
} from '#contract/fields/presets/export-columns';
import { formatTotal, Modal, t, trackBatch, userZone, useApiMutation, type PageMeta } from '#ui';
import { zoneOptions } from '../../settings/index.ts';
import { saveColumnChoice, loadColumnChoice, type ColumnChoice } from './column-choice.ts';
import { ColumnChoices } from './ColumnChoices.tsx';
import css from './ExportDialog.module.css';

const endpoints = {
  calls: exporting.exportCalls,
  messages: exporting.exportMessages,
  voicemails: exporting.exportVoicemails,
  fax: exporting.exportFaxes,
};
const entityNames: Record<ExportEntity, string> = {
  calls: 'calls',
  messages: 'messages',
  voicemails: 'voicemails',
  fax: 'faxes',
};

interface ExportDialogProps {
  entity: ExportEntity;
  groups: unknown[];
  of: PageMeta | undefined;
  onClose: () => void;
}

/**
 * Exports the filtered list: which columns, their order, and the time zone. The choice is stored
 * for next time.
 */
export function ExportDialog({ entity, groups, of, onClose }: ExportDialogProps) {
  const choice = useExportChoice(entity, groups, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Export {what}', { what: t(entityNames[entity]) })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void choice.start();
        }}
      >
        <Stack gap="md">
          <p className={css.about}>
            {groups.length > 0
              ? t('All {n} that match the filters, not just this page.', {
                  n: formatTotal(of ?? { total: 0 }),
                })
              : t('Everything, newest first. Set filters first to export less.')}
          </p>
          <ColumnChoices entity={entity} columns={choice.columns} onChange={choice.setColumns} />
          <Select
            label={t('Time zone')}
            description={t('Dates and times use this time zone.')}
            data={zoneOptions()}
            value={choice.zone}
            onChange={(v) => {
              if (v) choice.setZone(v);
            }}
            allowDeselect={false}
            searchable
          />
          <FormatChoice value={choice.format} onChange={choice.setFormat} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={choice.isPending} disabled={!choice.canStart}>
              {t('Export')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What the file holds; `start` queues the export, whose progress the page shows. */
function useExportChoice(entity: ExportEntity, groups: unknown[], onStarted: () => void) {
  const [columns, setColumns] = useState<ColumnChoice[]>(() => loadColumnChoice(entity));
  const [format, setFormat] = useState<FileFormat>('csv');
  const [zone, setZone] = useState(userZone());
  const { mutate, isPending } = useApiMutation(endpoints[entity] as typeof exporting.exportCalls);
  const chosen = columns.filter((c) => c.on).map((c) => c.key);
  const start = async (): Promise<void> => {
    const response = await mutate({
      body: { columns: chosen, format, tz: zone, groups } as BodyIn<typeof exporting.exportCalls>,
    });
    if (!response) return;
    trackBatch({
      id: response.data.batchId,
      label: t('Exporting {what}', { what: t(entityNames[entity]) }),
      total: response.data.total,
      of: 'exports',
    });
    onStarted();
  };
  return {
    ...{ columns, format, setFormat, zone, setZone, isPending, start },
    canStart: chosen.length > 0,
    setColumns: (next: ColumnChoice[]): void => {
      setColumns(next);
      saveColumnChoice(entity, next);
    },
  };
}

function FormatChoice({
  value,
  onChange,
}: {
  value: FileFormat;
  onChange: (format: FileFormat) => void;
}) {
  return (
    <div>
      <span className={css.title} id="export-format">
        {t('Format')}
      </span>
      <SegmentedControl
        fullWidth
        mt={4}
        aria-labelledby="export-format"
        value={value}
        onChange={(v) => onChange(v as FileFormat)}
        data={Object.entries(fileFormats).map(([format, label]) => ({
          value: format,
          label: t(label),
        }))}
      />
    </div>
  );
}

import { useRef, useState } from 'react';
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  SegmentedControl,
  Select,
  Stack,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { exporting, type BodyIn } from '#contract';
import {
  exportColumns,
  fileFormats,
  type ExportEntity,
  type FileFormat,
} from '#contract/fields/presets/export-columns';
import { formatTotal, Modal, t, trackBatch, userZone, useApiMutation, type PageMeta } from '#ui';
import { zoneOptions } from '../../settings/index.ts';
import {
  saveColumnChoice,
  moveItem,
  loadColumnChoice,
  type ColumnChoice,
} from './column-choice.ts';
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

/**
 * Exports the filtered list: which columns, their order, and the time zone. The choice is stored
 * for next time.
 */
export function ExportDialog({
  entity,
  groups,
  of,
  onClose,
}: {
  entity: ExportEntity;
  groups: unknown[];
  of: PageMeta | undefined;
  onClose: () => void;
}) {
  const [columns, setColumns] = useState<ColumnChoice[]>(() => loadColumnChoice(entity));
  const [format, setFormat] = useState<FileFormat>('csv');
  const [zone, setZone] = useState(userZone());
  const { mutate, isPending } = useApiMutation(endpoints[entity] as typeof exporting.exportCalls);
  const titles = exportColumns[entity] as Record<string, string>;
  const chosen = columns.filter((c) => c.on).map((c) => c.key);
  const dragged = useRef<number | null>(null);
  const change = (next: ColumnChoice[]): void => {
    setColumns(next);
    saveColumnChoice(entity, next);
  };
  const begin = async (): Promise<void> => {
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
    onClose();
  };
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
          void begin();
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
          <div>
            <Group justify="space-between" mb={4}>
              <span className={css.title} id="export-columns">
                {t('Columns')}
              </span>
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => change(loadColumnChoice(entity, true))}
              >
                {t('Default columns')}
              </Button>
            </Group>
            <ul className={css.columns} aria-labelledby="export-columns">
              {columns.map((c, i) => (
                <li
                  key={c.key}
                  className={css.column}
                  draggable
                  onDragStart={() => {
                    dragged.current = i;
                  }}
                  onDragOver={(e) => {
                    e.preventDefault();
                    if (dragged.current !== null && dragged.current !== i) {
                      change(moveItem(columns, dragged.current, i));
                      dragged.current = i;
                    }
                  }}
                  onDragEnd={() => {
                    dragged.current = null;
                  }}
                >
                  <IconGripVertical size={14} aria-hidden className={css.grip} />
                  <Checkbox
                    size="xs"
                    label={t(titles[c.key] ?? c.key)}
                    checked={c.on}
                    onChange={(e) =>
                      change(
                        columns.map((one) =>
                          one === c ? { ...one, on: e.currentTarget.checked } : one,
                        ),
                      )
                    }
                  />
                  <span className={css.grow} />
                  <ActionIcon
                    size={24}
                    variant="subtle"
                    color="gray"
                    disabled={i === 0}
                    aria-label={t('Move {column} up', { column: t(titles[c.key] ?? c.key) })}
                    onClick={() => change(moveItem(columns, i, i - 1))}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    variant="subtle"
                    color="gray"
                    disabled={i === columns.length - 1}
                    aria-label={t('Move {column} down', { column: t(titles[c.key] ?? c.key) })}
                    onClick={() => change(moveItem(columns, i, i + 1))}
                  >
                    <IconArrowDown size={14} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          </div>
          <Select
            label={t('Time zone')}
            description={t('Dates and times use this time zone.')}
            data={zoneOptions()}
            value={zone}
            onChange={(v) => {
              if (v) setZone(v);
            }}
            allowDeselect={false}
            searchable
          />
          <div>
            <span className={css.title} id="export-format">
              {t('Format')}
            </span>
            <SegmentedControl
              fullWidth
              mt={4}
              aria-labelledby="export-format"
              value={format}
              onChange={(v) => setFormat(v as FileFormat)}
              data={Object.entries(fileFormats).map(([value, label]) => ({
                value,
                label: t(label),
              }))}
            />
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={chosen.length === 0}>
              {t('Export')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

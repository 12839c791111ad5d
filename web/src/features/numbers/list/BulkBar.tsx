import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import {
  IconCircleDot,
  IconForms,
  IconTag,
  IconTags,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import type { numbers } from '#contract';
import { formatNumber, formatTotal, t, type PageMeta } from '#ui';
import { BulkEditDialog, type BulkEditKind } from './BulkEditDialog.tsx';
import { BulkField } from './BulkField.tsx';
import { useBulkChanges, type BulkFilters } from './use-bulk-changes.ts';
import css from '#ui/components/selection-bar.module.css';

interface BulkBarProps {
  selected: ReadonlySet<string | number>;
  of: PageMeta;
  filters: Record<string, unknown>;
  shown: number;
  clear: () => void;
}
type DialogKind = BulkEditKind | 'field';

/** Actions on the selected numbers, or on all numbers that match the filters, beyond this page. */
export function BulkBar({ selected: chosen, of, filters, shown, clear }: BulkBarProps) {
  const [everything, setEverything] = useState(false);
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const hasMore = of.total > chosen.size;
  const all = everything && hasMore;
  const size = all ? of.total : chosen.size;
  const count = all ? formatTotal(of) : formatNumber(size);
  const reset = (): void => {
    setEverything(false);
    clear();
  };
  const bulk = useBulkChanges(
    all ? { all: true, filters: filters as BulkFilters } : { ids: [...chosen].map(Number) },
    () => {
      setDialog(null);
      reset();
    },
  );
  if (chosen.size === 0) return null;
  const canSelectAll = !all && hasMore && chosen.size >= shown;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected numbers')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: count })}
      </span>
      {canSelectAll && (
        <Button size="compact-sm" variant="subtle" onClick={() => setEverything(true)}>
          {t('Select all {n} that match', { n: formatTotal(of) })}
        </Button>
      )}

      <EditButtons onOpen={setDialog} onRecord={(record) => void bulk.change({ record })} />
      <Button
        size="compact-sm"
        variant="default"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        loading={bulk.isReleasing}
        onClick={() => void bulk.release(size, count)}
      >
        {t('Release')}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={reset}>
        {t('Clear selection')}
      </Button>
      {dialog && (
        <BulkDialog
          kind={dialog}
          count={count}
          size={size}
          busy={bulk.isUpdating}
          close={() => setDialog(null)}
          change={bulk.change}
        />
      )}
    </div>
  );
}

function EditButtons({
  onOpen,
  onRecord,
}: {
  onOpen: (kind: DialogKind) => void;
  onRecord: (record: boolean) => void;
}) {
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTag size={14} aria-hidden />}
        onClick={() => onOpen('label')}
      >
        {t('Label')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTags size={14} aria-hidden />}
        onClick={() => onOpen('tags')}
      >
        {t('Tags')}
      </Button>
      <Menu position="top-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconCircleDot size={14} aria-hidden />}
          >
            {t('Recording')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onRecord(true)}>{t('Record calls')}</Menu.Item>
          <Menu.Item onClick={() => onRecord(false)}>{t('Don’t record calls')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTemplate size={14} aria-hidden />}
        onClick={() => onOpen('template')}
      >
        {t('Template')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconForms size={14} aria-hidden />}
        onClick={() => onOpen('field')}
      >
        {t('Custom field')}
      </Button>
    </>
  );
}

function BulkDialog({
  kind,
  ...props
}: {
  kind: DialogKind;
  count: string;
  size: number;
  busy: boolean;
  close: () => void;
  change: (patch: numbers.BulkPatch) => Promise<void>;
}) {
  return kind === 'field' ? <BulkField {...props} /> : <BulkEditDialog kind={kind} {...props} />;
}

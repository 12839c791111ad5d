import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconDownload, IconTag, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { formatNumber, lazyComponent, t, usePermission, useShortcuts } from '#ui';
import { NamePrompt } from './NamePrompt.tsx';
import { useBulkActions, type MembershipChange } from './use-bulk-actions.ts';
import { useBulkTarget, type BulkSelection } from './use-bulk-target.ts';
import css from '#ui/components/selection-bar.module.css';

const ExportDialog = lazyComponent(async () => (await import('../ExportDialog.tsx')).ExportDialog);

interface BulkBarProps extends BulkSelection {
  /** Number of rows on this page. */
  shown: number;
  clearSelection: () => void;
}

/** Actions on the selected contacts, across all pages after "Select all"; changes can be undone. */
export function BulkBar({ shown, clearSelection, ...selection }: BulkBarProps) {
  const { selected, total, capped } = selection;
  const [change, setChange] = useState<MembershipChange | null>(null);
  const [exporting, setExporting] = useState(false);
  const canEdit = usePermission('contacts.edit');
  const canBulkEdit = usePermission('contacts.bulk');
  const target = useBulkTarget(selection);
  const done = (): void => {
    setChange(null);
    target.setIncludesAll(false);
    clearSelection();
  };
  const actions = useBulkActions(target, done);
  useBulkShortcuts(selected.size > 0 && canEdit, setChange);
  if (selected.size === 0) return null;
  const hasMore = capped || total > selected.size;
  const offersAll = !target.isAll && hasMore && selected.size >= shown;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected contacts')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: formatNumber(target.count) })}
      </span>
      {offersAll && (
        <Button size="compact-sm" variant="subtle" onClick={() => target.setIncludesAll(true)}>
          {capped
            ? t('Select all that match')
            : t('Select all {n} that match', { n: formatNumber(total) })}
        </Button>
      )}
      {canEdit && <MembershipMenus onChoose={setChange} />}
      {canBulkEdit && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => setExporting(true)}
          >
            {t('Export')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            loading={actions.isDeleting}
            onClick={() => void actions.remove()}
          >
            {t('Delete')}
          </Button>
        </>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={done}>
        {t('Clear selection')}
      </Button>
      {exporting && (
        <ExportDialog
          which={target.which}
          count={target.count}
          close={() => setExporting(false)}
          done={done}
        />
      )}
      {change && (
        <NamePrompt
          change={change}
          count={target.count}
          busy={actions.isChanging}
          close={() => setChange(null)}
          apply={(id, name) => actions.apply(change, id, name)}
        />
      )}
    </div>
  );
}

function useBulkShortcuts(enabled: boolean, choose: (change: MembershipChange) => void): void {
  const group = t('Contacts');
  const label = { keys: 'l', label: t('Label selected contacts'), group };
  const join = { keys: 'shift+g', label: t('Add selected contacts to a group'), group };
  useShortcuts(
    enabled
      ? [
          { ...label, run: () => choose('label') },
          { ...join, run: () => choose('group') },
        ]
      : [],
  );
}

const MembershipMenus = ({ onChoose }: { onChoose: (change: MembershipChange) => void }) => (
  <>
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconTag size={14} aria-hidden />}>
          {t('Labels')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('label')}>{t('Add label')}</Menu.Item>
        <Menu.Item onClick={() => onChoose('unlabel')}>{t('Remove label')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUsersGroup size={14} aria-hidden />}
        >
          {t('Groups')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('group')}>{t('Add to group')}</Menu.Item>
        <Menu.Item onClick={() => onChoose('ungroup')}>{t('Remove from group')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  </>
);

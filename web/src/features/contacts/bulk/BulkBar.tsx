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
  const { selected } = selection;
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
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected contacts')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: formatNumber(target.count) })}
      </span>
      {!target.isAll && selected.size >= shown && (
        <SelectAll {...selection} onClick={() => target.setIncludesAll(true)} />
      )}
      {canEdit && <MembershipMenus onChoose={setChange} />}
      {canBulkEdit && (
        <ExportAndDelete
          onExport={() => setExporting(true)}
          onDelete={() => void actions.remove()}
          isDeleting={actions.isDeleting}
        />
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

/** Offers to select the contacts of the other pages too, if there are any. */
const SelectAll = ({ selected, total, capped, onClick }: BulkSelection & { onClick: () => void }) =>
  capped || total > selected.size ? (
    <Button size="compact-sm" variant="subtle" onClick={onClick}>
      {capped
        ? t('Select all that match')
        : t('Select all {n} that match', { n: formatNumber(total) })}
    </Button>
  ) : null;

const ExportAndDelete = ({
  onExport,
  onDelete,
  isDeleting,
}: {
  onExport: () => void;
  onDelete: () => void;
  isDeleting: boolean;
}) => (
  <>
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={onExport}
    >
      {t('Export')}
    </Button>
    <Button
      size="compact-sm"
      variant="default"
      color="red"
      leftSection={<IconTrash size={14} aria-hidden />}
      loading={isDeleting}
      onClick={onDelete}
    >
      {t('Delete')}
    </Button>
  </>
);

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

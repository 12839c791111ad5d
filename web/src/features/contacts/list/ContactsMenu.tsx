import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconTrash, IconUpload } from '@tabler/icons-react';
import { t } from '#ui';

/** Import, export, and switching to deleted contacts. */
export function ContactsMenu({
  trash,
  isFiltered,
  onExport,
  onToggleTrash,
}: {
  trash: boolean;
  isFiltered: boolean;
  onExport: () => void;
  onToggleTrash: () => void;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href="/contacts/import"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          {t('Import contacts')}
        </Menu.Item>
        {!trash && (
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
            {isFiltered ? t('Export these contacts') : t('Export all contacts')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onToggleTrash}>
          {trash ? t('Show all contacts') : t('Show deleted contacts')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

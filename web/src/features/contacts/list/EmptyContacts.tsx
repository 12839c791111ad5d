import { Button } from '@mantine/core';
import { IconAddressBook } from '@tabler/icons-react';
import { EmptyState, t } from '#ui';

/** Shown instead of an empty list: no matches, or no contacts yet. */
export function EmptyContacts({
  isFiltered,
  trash,
  add,
  onClear,
}: {
  isFiltered: boolean;
  trash: boolean;
  add: React.ReactNode;
  onClear: () => void;
}) {
  return isFiltered ? (
    <EmptyState
      icon={<IconAddressBook size={28} stroke={1.5} />}
      title={trash ? t('No deleted contacts') : t('No contacts match these filters')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {trash
        ? t('You can restore deleted contacts here for 30 days.')
        : t('Try another search or clear the filters.')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconAddressBook size={28} stroke={1.5} />}
      title={t('No contacts yet')}
      action={add || undefined}
    >
      {t('Anyone who calls or texts is added automatically. Add others here, or import a file.')}
    </EmptyState>
  );
}

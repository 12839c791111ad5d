import { useState } from 'react';
import { Button } from '@mantine/core';
import { FilterBar, lazyComponent, Page, t, useCommands, usePermission, useShortcuts } from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { ContactFilters } from '../list/ContactFilters.tsx';
import { ContactsMenu } from '../list/ContactsMenu.tsx';
import { ContactTable } from '../list/ContactTable.tsx';
import {
  defaultContactFilters,
  useContactList,
  type ContactList,
} from '../list/use-contact-list.ts';

const ExportDialog = lazyComponent(async () => (await import('../ExportDialog.tsx')).ExportDialog);
const AddContact = lazyComponent(async () => (await import('../AddContact.tsx')).AddContact);

/** The company's contacts. */
export default function Contacts() {
  const contacts = useContactList();
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  const mayEdit = usePermission('contacts.edit');
  const mayBulkEdit = usePermission('contacts.bulk');
  useContactCommands(mayEdit, () => setAdding(true));
  const add = mayEdit ? (
    <Button onClick={() => setAdding(true)}>{t('Add contact')}</Button>
  ) : undefined;
  return (
    <Page
      title={t('Contacts')}
      layout="fill"
      action={add}
      filters={
        <Filters
          contacts={contacts}
          onExport={mayBulkEdit ? () => setExporting(true) : undefined}
        />
      }
    >
      <ContactTable
        contacts={contacts}
        selectable={!contacts.trash && (mayEdit || mayBulkEdit)}
        add={add}
      />
      {exporting && (
        <ExportDialog
          which={{ all: true, filters: contacts.asked }}
          count={contacts.isCapped ? null : contacts.total}
          close={() => setExporting(false)}
        />
      )}
      <AddContact open={adding} close={() => setAdding(false)} />
    </Page>
  );
}

/** The tabs and filters; without `onExport`, no menu with import and export. */
function Filters({
  contacts: { filters, set, clear, isFiltered, trash },
  onExport,
}: {
  contacts: ContactList;
  onExport: (() => void) | undefined;
}) {
  const menu = onExport && (
    <ContactsMenu
      trash={trash}
      isFiltered={isFiltered}
      onExport={onExport}
      onToggleTrash={() => set({ ...defaultContactFilters, deleted: trash ? '' : '1' })}
    />
  );
  return (
    <>
      <ContactsTabs />
      <FilterBar isFiltered={isFiltered} onClear={clear} right={menu}>
        {trash ? (
          <span>{t('Deleted contacts are kept for 30 days.')}</span>
        ) : (
          <ContactFilters filters={filters} set={set} />
        )}
      </FilterBar>
    </>
  );
}

/** Commands of the palette, and the shortcut that adds a contact. */
function useContactCommands(mayEdit: boolean, add: () => void): void {
  useCommands([
    ...(mayEdit
      ? [
          {
            id: 'contacts.add',
            title: t('Add contact'),
            group: t('Contacts'),
            run: add,
          },
        ]
      : []),
    {
      id: 'contacts.groups',
      title: t('Contact groups'),
      group: t('Contacts'),
      href: '/contacts/groups',
    },
    {
      id: 'contacts.labels',
      title: t('Contact labels'),
      group: t('Contacts'),
      href: '/contacts/labels',
    },
  ]);
  useShortcuts(
    mayEdit ? [{ keys: 'n', label: t('Add contact'), group: t('Contacts'), run: add }] : [],
  );
}

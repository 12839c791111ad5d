import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import {
  DataList,
  FilterBar,
  isCapped,
  lazyComponent,
  Page,
  type Sort,
  t,
  useCommands,
  usePermission,
  useShortcuts,
} from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { contactName, displayNumber, type Contact } from '../labels.ts';
import { BulkBar } from '../bulk/BulkBar.tsx';
import { ContactFilters } from '../list/ContactFilters.tsx';
import { ContactsMenu } from '../list/ContactsMenu.tsx';
import { EmptyContacts } from '../list/EmptyContacts.tsx';
import { defaultContactFilters, useContactList } from '../list/use-contact-list.ts';
import { useListColumns } from '../list/use-list-columns.tsx';

const ExportDialog = lazyComponent(async () => (await import('../ExportDialog.tsx')).ExportDialog);
const AddContact = lazyComponent(async () => (await import('../AddContact.tsx')).AddContact);

/** The company's contacts. */
export default function Contacts() {
  const {
    filters,
    set,
    clear,
    isFiltered,
    perPage,
    onPerPage,
    asked,
    trash,
    response,
    error,
    loading,
    refetch,
  } = useContactList();
  const [chosen, setChosen] = useState<Set<string | number>>(new Set());
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  // Changing the filters clears the selection.
  const key = JSON.stringify([asked, trash]);
  useEffect(() => setChosen(new Set()), [key]);
  const mayEdit = usePermission('contacts.edit');
  const mayMany = usePermission('contacts.bulk');
  useContactCommands(mayEdit, () => setAdding(true));
  const selectable = !trash && (mayEdit || mayMany);
  const capped = isCapped(response?.meta);
  const total = response?.meta.total ?? 0;
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('Add contact')}</Button>;
  const columns = useListColumns(trash, set);
  return (
    <Page
      title={t('Contacts')}
      layout="fill"
      action={add || undefined}
      filters={
        <>
          <ContactsTabs />
          <FilterBar
            isFiltered={isFiltered}
            onClear={clear}
            right={
              mayMany ? (
                <ContactsMenu
                  trash={trash}
                  isFiltered={isFiltered}
                  onExport={() => setExporting(true)}
                  onToggleTrash={() => set({ ...defaultContactFilters, deleted: trash ? '' : '1' })}
                />
              ) : undefined
            }
          >
            {trash ? (
              <span>{t('Deleted contacts are kept for 30 days.')}</span>
            ) : (
              <ContactFilters filters={filters} set={set} />
            )}
          </FilterBar>
        </>
      }
    >
      {selectable && (
        <BulkBar
          selected={chosen}
          total={total}
          capped={capped}
          shown={response?.data.length ?? 0}
          filters={asked}
          clearSelection={() => setChosen(new Set())}
        />
      )}
      <DataList
        label={t('Contacts')}
        {...(selectable && { selected: chosen, onSelect: setChosen })}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(c) => c.id}
        rowLabel={(c) => [contactName(c), displayNumber(c.number)].join(', ')}
        {...(!trash && { href: (c: Contact) => `/contacts/${c.id}` })}
        columns={columns}
        {...(!trash && {
          columnPresets: {
            list: 'contacts' as const,
            filters,
            onFilters: (kept: object) => set({ ...defaultContactFilters, ...kept, page: 1 }),
          },
          sort: { field: filters.sort, dir: filters.dir },
          onSort: (sort: Sort) => set({ sort: sort.field, dir: sort.dir }),
        })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<EmptyContacts isFiltered={isFiltered} trash={trash} add={add} onClear={clear} />}
      />
      {exporting && (
        <ExportDialog
          which={{ all: true, filters: asked }}
          count={capped ? null : total}
          close={() => setExporting(false)}
        />
      )}
      <AddContact open={adding} close={() => setAdding(false)} />
    </Page>
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

import { useEffect, useState } from 'react';
import { DataList, t } from '#ui';
import { BulkBar } from '../bulk/BulkBar.tsx';
import { contactName, displayNumber, type Contact } from '../labels.ts';
import { EmptyContacts } from './EmptyContacts.tsx';
import { defaultContactFilters, type ContactList } from './use-contact-list.ts';
import { useListColumns } from './use-list-columns.tsx';

/** The rows of the contact list and, when some are selected, the actions on them. */
export function ContactTable({
  contacts,
  selectable,
  add,
}: {
  contacts: ContactList;
  selectable: boolean;
  /** Shown while there are no contacts. */
  add: React.ReactNode;
}) {
  const { filters, set, clear, isFiltered, asked, trash, list, total, isCapped } = contacts;
  const [selected, setSelected] = useState<Set<string | number>>(new Set());
  // Changing the filters clears the selection.
  const key = JSON.stringify([asked, trash]);
  useEffect(() => setSelected(new Set()), [key]);
  const columns = useListColumns(trash, set);
  const columnPresets = {
    list: 'contacts' as const,
    filters,
    onFilters: (kept: object) => set({ ...defaultContactFilters, ...kept, page: 1 }),
  };
  return (
    <>
      {selectable && (
        <BulkBar
          selected={selected}
          total={total}
          capped={isCapped}
          shown={list.rows?.length ?? 0}
          filters={asked}
          clearSelection={() => setSelected(new Set())}
        />
      )}
      <DataList
        {...list}
        {...(selectable && { selected, onSelect: setSelected })}
        {...(!trash && { href: (c: Contact) => `/contacts/${c.id}`, columnPresets })}
        label={t('Contacts')}
        rowKey={(c) => c.id}
        rowLabel={(c) => [contactName(c), displayNumber(c.number)].join(', ')}
        columns={columns}
        empty={<EmptyContacts isFiltered={isFiltered} trash={trash} add={add} onClear={clear} />}
      />
    </>
  );
}

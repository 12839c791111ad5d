import { useEffect, useState } from 'react';
import { Button, Menu, Select } from '@mantine/core';
import {
  IconAddressBook,
  IconChevronDown,
  IconDownload,
  IconRotate,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { contacts } from '#contract';
import { contactStates, contactTypes } from '#contract/contacts/rules';
import { entityOf } from '#contract/fields/rules';
import {
  DataList,
  EmptyState,
  FilterBar,
  isCapped,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useCommands,
  useFilters,
  usePageSize,
  usePermission,
  useShortcuts,
  useApiMutation,
} from '#ui';
import { contactColumns } from '../columns.tsx';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { useSorting } from '../use-sorting.ts';
import { contactName, displayNumber, stateName, type Contact } from '../labels.ts';
import { parseFieldFilters, FieldFilters, useFieldColumns } from '../../fields/index.ts';
import { BulkBar } from '../bulk/BulkBar.tsx';

const ExportDialog = lazyComponent(async () => (await import('../ExportDialog.tsx')).ExportDialog);
const AddContact = lazyComponent(async () => (await import('../AddContact.tsx')).AddContact);

const defaultFilters = {
  search: '',
  groupId: '',
  labelId: '',
  state: '',
  source: '',
  type: '',
  eav: '',
  deleted: '',
  page: 1,
  sort: 'addedAt',
  dir: 'desc',
};

/** The company's contacts. */
export default function Contacts() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('contacts', 50, () => set({ page: 1 }));
  const asked = Object.fromEntries(
    Object.entries({
      search: filters.search,
      groupId: Number(filters.groupId) || '',
      labelId: Number(filters.labelId) || '',
      state: filters.state,
      source: filters.source,
      type: filters.type,
      eav: filters.eav ? parseFieldFilters(filters.eav) : '',
    }).filter(([, value]) => value !== ''),
  );
  const trash = filters.deleted === '1';
  const query = trash
    ? { withTrashed: 1, page: filters.page, perPage }
    : { ...asked, sort: filters.sort, dir: filters.dir, page: filters.page, perPage };
  const { response, error, loading, refetch } = useApiQuery(contacts.listContacts, {
    query: query,
  });
  const [chosen, setChosen] = useState<Set<string | number>>(new Set());
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  // Changing the filters clears the selection.
  const key = JSON.stringify([asked, trash]);
  useEffect(() => setChosen(new Set()), [key]);
  const mayEdit = usePermission('contacts.edit');
  const mayMany = usePermission('contacts.bulk');
  const sorting = useSorting();
  const custom = useFieldColumns<Contact>(entityOf.contact, (c) => c.eavAttributeValues as never);
  const restore = useApiMutation(contacts.restoreContact, {
    invalidates: [contacts.listContacts],
    success: t('Contact restored'),
  });
  useCommands([
    ...(mayEdit
      ? [
          {
            id: 'contacts.add',
            title: t('Add contact'),
            group: t('Contacts'),
            run: () => setAdding(true),
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
    mayEdit
      ? [{ keys: 'n', label: t('Add contact'), group: t('Contacts'), run: () => setAdding(true) }]
      : [],
  );
  const capped = isCapped(response?.meta);
  const total = response?.meta.total ?? 0;
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('Add contact')}</Button>;
  const select = (
    label: string,
    any: string,
    field: 'groupId' | 'labelId' | 'state' | 'type',
    data: { value: string; label: string }[],
    w: number,
  ) => (
    <Select
      aria-label={label}
      placeholder={any}
      w={w}
      searchable={data.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': any }}
      data={data}
      value={filters[field] || null}
      onChange={(value) => set({ [field]: value ?? '' })}
    />
  );
  const own = contactColumns({
    onGroup: (id) => set({ groupId: String(id) }),
    onLabel: (id) => set({ labelId: String(id) }),
  });
  const columns = trash
    ? [
        ...own.filter((c) => ['name', 'number', 'email', 'companyName'].includes(c.key)),
        {
          key: 'restore',
          title: '',
          width: '110px',
          align: 'end' as const,
          cell: (c: Contact) => (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRotate size={14} aria-hidden />}
              disabled={restore.isPending}
              aria-label={t('Restore {name}', { name: contactName(c) })}
              onClick={() => void restore.mutate({ params: { contactId: c.id } })}
            >
              {t('Restore')}
            </Button>
          ),
        },
      ]
    : [...own.slice(0, -1), ...custom, own.at(-1)!];
  const more = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {mayMany && (
          <Menu.Item
            component="a"
            href="/contacts/import"
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {t('Import contacts')}
          </Menu.Item>
        )}
        {mayMany && !trash && (
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => setExporting(true)}
          >
            {isFiltered ? t('Export these contacts') : t('Export all contacts')}
          </Menu.Item>
        )}
        {mayMany && (
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => set({ ...defaultFilters, deleted: trash ? '' : '1' })}
          >
            {trash ? t('Show all contacts') : t('Show deleted contacts')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <Page
      title={t('Contacts')}
      layout="fill"
      action={add || undefined}
      filters={
        <>
          <ContactsTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear} right={mayMany ? more : undefined}>
            {trash ? (
              <span>{t('Deleted contacts are kept for 30 days.')}</span>
            ) : (
              <>
                <SearchField
                  label={t('Search contacts')}
                  placeholder={t('Name, number or email')}
                  value={filters.search}
                  onChange={(search) => set({ search })}
                />
                {select(t('Group'), t('Any group'), 'groupId', sorting.groupOptions, 150)}
                {select(t('Label'), t('Any label'), 'labelId', sorting.labelOptions, 130)}
                {select(
                  t('Texting'),
                  t('Any state'),
                  'state',
                  contactStates.map((s) => ({ value: s, label: stateName(s) })),
                  135,
                )}
                {select(
                  t('Type'),
                  t('Any type'),
                  'type',
                  contactTypes.map((s) => ({ value: s, label: t(s) })),
                  115,
                )}
                <FieldFilters
                  entity={entityOf.contact}
                  value={filters.eav}
                  onChange={(eav) => set({ eav })}
                />
              </>
            )}
          </FilterBar>
        </>
      }
    >
      {!trash && (mayEdit || mayMany) && (
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
        {...(!trash && (mayEdit || mayMany) && { selected: chosen, onSelect: setChosen })}
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
            onFilters: (kept: object) => set({ ...defaultFilters, ...kept, page: 1 }),
          },
          sort: { field: filters.sort, dir: filters.dir as 'asc' | 'desc' },
          onSort: (sort: { field: string; dir: string }) =>
            set({ sort: sort.field, dir: sort.dir }),
        })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconAddressBook size={28} stroke={1.5} />}
              title={trash ? t('No deleted contacts') : t('No contacts match these filters')}
              action={
                <Button variant="default" onClick={clear}>
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
              {t(
                'Anyone who calls or texts is added automatically. Add others here, or import a file.',
              )}
            </EmptyState>
          )
        }
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

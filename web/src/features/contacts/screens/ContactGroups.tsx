import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { groups } from '#contract';
import {
  DataList,
  EmptyState,
  ErrorState,
  FilterBar,
  Page,
  SearchField,
  showUndoToast,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { useRuleText } from '../use-rule-text.ts';
import { GroupDialog } from '../GroupDialog.tsx';
import { groupColumns } from '../group-columns.tsx';

type ContactGroup = groups.Group;
const defaultFilters = { search: '', virtual: '', page: 1, sort: 'usual', dir: 'asc' };
const invalidates = [groups.listGroups];

/** Static groups, and virtual groups that follow a rule. */
export default function ContactGroups() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('groups', 50, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(groups.listGroups, {
    query: {
      search: filters.search || null,
      virtual: filters.virtual || null,
      sort: filters.sort,
      dir: filters.dir,
      page: filters.page,
      perPage,
    },
  });
  const may = usePermission('contacts.edit');
  const words = useRuleText();
  const [editing, setEditing] = useState<ContactGroup | 'new' | null>(null);
  const restore = useApiMutation(groups.restoreGroup, {
    invalidates,
    success: t('Group restored'),
  });
  const { mutate: remove } = useApiMutation(groups.deleteGroup, { invalidates });
  const drop = async (g: ContactGroup): Promise<void> => {
    if (await remove({ params: { id: g.id } }))
      showUndoToast(
        t('{name} was deleted', { name: g.name }),
        () => void restore.mutate({ params: { id: g.id } }),
      );
  };
  const columns = groupColumns(may, words.words, {
    onEdit: setEditing,
    onDelete: (group) => void drop(group),
  });
  const add = may && <Button onClick={() => setEditing('new')}>{t('Add group')}</Button>;
  // A response without data isn't an empty list (A §8).
  const broken = response !== undefined && !Array.isArray(response.data);
  return (
    <Page
      title={t('Contact groups')}
      layout="fill"
      action={add || undefined}
      filters={
        <>
          <ContactsTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              maxLength={80}
              label={t('Search groups')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            <Select
              aria-label={t('Type')}
              placeholder={t('Any type')}
              w={170}
              clearable
              clearButtonProps={{ 'aria-label': t('Any type') }}
              data={[
                { value: '0', label: t('Lists') },
                { value: '1', label: t('Rule-based') },
              ]}
              value={filters.virtual || null}
              onChange={(v) => set({ virtual: v ?? '' })}
            />
          </FilterBar>
        </>
      }
    >
      {broken ? (
        <ErrorState title={t('Internal 500 error')} retry={refetch} />
      ) : (
        <DataList
          label={t('Groups')}
          rows={response?.data}
          loading={loading}
          error={error}
          refetch={refetch}
          rowKey={(g) => g.id}
          rowLabel={(g) => g.name}
          href={(g) => `/contacts?groupId=${g.id}`}
          columns={columns}
          sort={{ field: filters.sort, dir: filters.dir }}
          onSort={(s) => set({ sort: s.field, dir: s.dir })}
          paging={{
            page: filters.page,
            perPage,
            onPerPage,
            meta: response?.meta,
            onPage: (page) => set({ page }),
          }}
          empty={
            <EmptyState
              icon={<IconUsersGroup size={28} stroke={1.5} />}
              title={t('No groups match')}
              action={add || undefined}
            >
              {t('Try another word or clear the search.')}
            </EmptyState>
          }
        />
      )}
      {editing && (
        <GroupDialog group={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Page>
  );
}

import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { groups } from '#contract';
import { DataList, ErrorState, Page, showUndoToast, t, useApiMutation, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { useRuleText } from '../use-rule-text.ts';
import { GroupDialog } from '../GroupDialog.tsx';
import { groupColumns } from '../group-columns.tsx';

type ContactGroup = groups.Group;
const defaultFilters = { search: '', virtual: '', page: 1, sort: 'usual', dir: 'asc' };

/** Static groups, and virtual groups that follow a rule. */
export default function ContactGroups() {
  const { list, isBroken, ...filtering } = useGroupList();
  const mayEdit = usePermission('contacts.edit');
  const { words } = useRuleText();
  const [editing, setEditing] = useState<ContactGroup | 'new' | null>(null);
  const remove = useDeleteGroup();
  const add = mayEdit ? (
    <Button onClick={() => setEditing('new')}>{t('Add group')}</Button>
  ) : undefined;
  const columns = groupColumns(mayEdit, words, {
    onEdit: setEditing,
    onDelete: (group) => void remove(group),
  });
  return (
    <Page
      title={t('Contact groups')}
      layout="fill"
      action={add}
      filters={<GroupFilters {...filtering} />}
    >
      {isBroken ? (
        <ErrorState title={t('Internal 500 error')} retry={list.refetch} />
      ) : (
        <DataList
          {...list}
          label={t('Groups')}
          rowKey={(g) => g.id}
          rowLabel={(g) => g.name}
          href={(g) => `/contacts?groupId=${g.id}`}
          columns={columns}
          empty={
            <ListEmpty
              list={filtering}
              icon={IconUsersGroup}
              noMatch={t('No groups match')}
              title={t('No groups yet')}
              action={add}
            >
              {t('Put contacts on a list, or let a rule choose them.')}
            </ListEmpty>
          }
        />
      )}
      {editing && (
        <GroupDialog group={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Page>
  );
}

/** The groups that match the filters in the URL. */
function useGroupList() {
  const screen = useListScreen(groups.listGroups, {
    key: 'groups',
    perPage: 50,
    filters: defaultFilters,
    input: ({ page, sort, dir, search, virtual }, perPage) => ({
      query: { search: search || null, virtual: virtual || null, sort, dir, page, perPage },
    }),
  });
  const { response } = screen;
  // A response without data isn't an empty list (A §8).
  return { ...screen, isBroken: response !== undefined && !Array.isArray(response.data) };
}

function GroupFilters({
  filters,
  set,
  clear,
  isFiltered,
}: Omit<ReturnType<typeof useGroupList>, 'list' | 'response' | 'isBroken'>) {
  return (
    <>
      <ContactsTabs />
      <ListFilters
        list={{ filters, set, clear, isFiltered }}
        maxLength={80}
        label={t('Search groups')}
      >
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
      </ListFilters>
    </>
  );
}

/** Deletes a group; "Undo" restores it. */
function useDeleteGroup(): (group: ContactGroup) => Promise<void> {
  const invalidates = [groups.listGroups];
  const restore = useApiMutation(groups.restoreGroup, {
    invalidates,
    success: t('Group restored'),
  });
  const { mutate } = useApiMutation(groups.deleteGroup, { invalidates });
  return async ({ id, name }) => {
    if (await mutate({ params: { id } }))
      showUndoToast(
        t('{name} was deleted', { name }),
        () => void restore.mutate({ params: { id } }),
      );
  };
}

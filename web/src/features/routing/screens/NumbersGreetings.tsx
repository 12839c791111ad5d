import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { greetings } from '#contract';
import type { SortDirection } from '#contract/sort-direction';
import { confirm, DataList, lazyComponent, Page, t, usePermission, useApiMutation } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { NumbersTabs, typeOptions } from '../../numbers/index.ts';
import { greetingColumns } from '../greeting-columns.tsx';
import { GreetingUses } from '../GreetingUses.tsx';

const GreetingDialog = lazyComponent(
  async () => (await import('../GreetingDialog.tsx')).GreetingDialog,
);

type Greeting = greetings.Greeting;
const defaultFilters = {
  search: '',
  type: '',
  page: 1,
  sort: 'created_at',
  dir: 'desc' as SortDirection,
};

/** A page of greetings, with filters that are kept in the URL. */
const useGreetingList = () =>
  useListScreen(greetings.listGreetings, {
    key: 'greetings',
    perPage: 25,
    filters: defaultFilters,
    input: ({ page, sort, dir, search, type }, perPage) => ({
      query: { page, perPage, sort, dir, search: search || null, type: type || null },
    }),
  });
type GreetingList = ReturnType<typeof useGreetingList>;

/** Deletes a greeting after asking; one in use can't be deleted, so its uses are shown instead. */
function useDeleteGreeting(onInUse: (greeting: Greeting) => void) {
  const { mutate: remove } = useApiMutation(greetings.deleteGreeting, {
    success: t(greetings.greetingSaid.deleted),
    invalidates: [greetings.listGreetings],
  });
  return async (one: Greeting): Promise<void> => {
    if (one.used_by_count > 0) return onInUse(one);
    if (
      await confirm({
        title: t('Delete “{name}”?', { name: one.name }),
        body: t('Nothing uses it. The audio is permanently deleted.'),
        confirmLabel: t('Delete'),
        danger: true,
      })
    )
      void remove({ params: { id: one.id } });
  };
}

/** The company's greetings: list, search, add, edit and delete. */
export default function NumbersGreetings() {
  const greetingList = useGreetingList();
  const mayEdit = usePermission('routing.edit');
  const [editing, setEditing] = useState<Greeting | 'new' | null>(null);
  const [usesOf, setUsesOf] = useState<Greeting | null>(null);
  const ask = useDeleteGreeting(setUsesOf);
  const columns = greetingColumns({
    mayEdit,
    onShowUses: setUsesOf,
    onEdit: setEditing,
    onDelete: (greeting) => void ask(greeting),
  });
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add greeting')}</Button>;
  return (
    <Page
      title={t('Greetings')}
      layout="fill"
      description={t(
        'What callers hear. Choose greetings in a number’s settings, menu and routes.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <GreetingFilters greetingList={greetingList} />
        </>
      }
    >
      <DataList
        label={t('Greetings')}
        {...greetingList.list}
        rowKey={(g) => g.id}
        rowLabel={(g) => g.name}
        columns={columns}
        comfortable
        empty={
          <ListEmpty
            list={greetingList}
            icon={IconMicrophone}
            noMatch={t('No greetings match')}
            title={t('No greetings yet')}
            action={add}
          >
            {t(
              'Write what callers should hear and have it read aloud, upload a file, or record it here.',
            )}
          </ListEmpty>
        }
      />
      {editing !== null && (
        <GreetingDialog
          greeting={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
        />
      )}
      {usesOf !== null && <GreetingUses greeting={usesOf} close={() => setUsesOf(null)} />}
    </Page>
  );
}

function GreetingFilters({
  greetingList: { filters, set, clear, isFiltered },
}: {
  greetingList: GreetingList;
}) {
  return (
    <ListFilters
      list={{ filters, set, clear, isFiltered }}
      maxLength={80}
      label={t('Search greetings')}
      placeholder={t('Name or words')}
    >
      <Select
        aria-label={t('Used for')}
        placeholder={t('Any usage')}
        w={170}
        clearable
        clearButtonProps={{ 'aria-label': t('Any usage') }}
        data={typeOptions()}
        value={filters.type || null}
        onChange={(type) => set({ type: type ?? '' })}
      />
    </ListFilters>
  );
}

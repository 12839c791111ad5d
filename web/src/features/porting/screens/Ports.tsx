import { Button } from '@mantine/core';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import { porting } from '#contract';
import { DataList, lazyComponent, Page, t, useCommands, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { NumbersTabs } from '../../numbers/index.ts';
import { PortStatusFilter, PortTypeFilter } from '../port-filters.tsx';
import { PortStats } from '../PortStats.tsx';
import { portStatusName } from '../labels.ts';
import { numbersLabel, portColumns } from '../port-columns.tsx';

const PortWizard = lazyComponent(async () => (await import('../PortWizard.tsx')).PortWizard);
const PortDrawer = lazyComponent(async () => (await import('../PortDrawer.tsx')).PortDrawer);

type Row = porting.PortRow;
const defaultFilters = {
  search: '',
  status: '',
  type: '',
  completed: '',
  page: 1,
  sort: 'created_at',
  dir: 'desc',
  port: '',
  wizard: '',
};

/** A page of port requests, with filters that are kept in the URL, as is the opened request. */
const usePortList = () =>
  useListScreen(porting.listPorts, {
    key: 'ports',
    perPage: 25,
    filters: defaultFilters,
    opens: ['port', 'wizard'],
    input: ({ page, sort, dir, search, status, type, completed }, perPage) => ({
      query: {
        page,
        perPage,
        sort,
        dir,
        search: search || null,
        status: status || null,
        type: type || null,
        completed_30d: completed || null,
      },
    }),
  });
type PortList = ReturnType<typeof usePortList>;

/** Requests to port numbers in from other carriers. */
export default function Ports() {
  const portList = usePortList();
  const { filters, set } = portList;
  const mayEdit = usePermission('ports.edit');
  useCommands(
    mayEdit
      ? [
          {
            id: 'ports.new',
            title: t('Port numbers'),
            group: t('Numbers'),
            href: '/numbers/ports?wizard=new',
          },
        ]
      : [],
  );
  const add = mayEdit && (
    <Button onClick={() => set({ wizard: 'new', page: filters.page })}>{t('Port numbers')}</Button>
  );
  return (
    <Page
      title={t('Ports')}
      layout="fill"
      description={t(
        'Numbers you’re porting in from another carrier. They keep working there until the port date.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <PortFilters portList={portList} />
        </>
      }
    >
      <PortStats
        status={filters.status}
        completed={filters.completed}
        onPick={(pick) => set(pick)}
      />
      <PortRows portList={portList} mayEdit={mayEdit} add={add} />
      <OpenedPort portList={portList} />
    </Page>
  );
}

function PortFilters({ portList: { filters, set, isFiltered, clear } }: { portList: PortList }) {
  return (
    <ListFilters
      list={{ filters, set, clear, isFiltered }}
      label={t('Search port requests')}
      placeholder={t('Number, carrier or name')}
    >
      <PortStatusFilter
        value={filters.status}
        onChange={(status) => set({ status, completed: '' })}
      />
      <PortTypeFilter value={filters.type} onChange={(type) => set({ type })} />
    </ListFilters>
  );
}

function PortRows({
  portList,
  mayEdit,
  add,
}: {
  portList: PortList;
  mayEdit: boolean;
  add: React.ReactNode;
}) {
  const { filters, set } = portList;
  const open = (row: Row): void =>
    set(
      row.status === 'pending' && mayEdit
        ? { wizard: String(row.id), page: filters.page }
        : { port: String(row.id), page: filters.page },
    );
  return (
    <DataList
      label={t('Port requests')}
      {...portList.list}
      rowKey={(r) => r.id}
      rowLabel={(r) => `${numbersLabel(r)}, ${portStatusName(r.status)}`}
      onOpen={open}
      columns={portColumns()}
      emphasized={needsAction}
      empty={
        <ListEmpty
          list={portList}
          icon={IconArrowsRightLeft}
          noMatch={t('No requests match these filters')}
          title={t('No port requests yet')}
          action={add}
        >
          {t(
            'Bring the numbers you have elsewhere: check them, sign the letter and track their progress.',
          )}
        </ListEmpty>
      }
    />
  );
}

/** The wizard or the drawer of the request in the address. */
function OpenedPort({ portList: { filters, set } }: { portList: PortList }) {
  const edit = (id: number): void => set({ wizard: String(id), page: filters.page });
  if (filters.wizard)
    return (
      <PortWizard
        id={filters.wizard === 'new' ? null : Number(filters.wizard) || null}
        close={() => set({ wizard: '', page: filters.page })}
        opened={edit}
      />
    );
  if (!filters.port) return null;
  return (
    <PortDrawer
      id={Number(filters.port) || 0}
      close={() => set({ port: '', page: filters.page })}
      edit={edit}
    />
  );
}

const needsAction = (row: Row): boolean =>
  row.alarm !== null || row.status === 'documentsRequested' || row.status === 'rejected';

import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconHash } from '@tabler/icons-react';
import { numbers } from '#contract';
import {
  DataList,
  FilterBar,
  formatPhoneNumber,
  Page,
  t,
  useApiQuery,
  useCommands,
  useFilters,
  usePageSize,
  usePermission,
} from '#ui';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { pagedList } from '#ui/list/paged-list.ts';
import { entityOf } from '#contract/fields/rules';
import type { SortDirection } from '#contract/sort-direction';
import { parseFieldFilters, useFieldColumns } from '../../fields/index.ts';
import { ExportButton } from '../list/ExportButton.tsx';
import { numberColumns } from '../list/columns.tsx';
import { NumberFilters } from '../list/NumberFilters.tsx';
import { NumberMenu } from '../list/NumberMenu.tsx';
import { NumbersTabs } from '../NumbersTabs.tsx';
import { StatsStrip } from '../list/StatsStrip.tsx';
import { BulkBar } from '../list/BulkBar.tsx';

const defaultFilters = {
  search: '',
  status: '',
  category: '',
  routingType: '',
  tag: '',
  sms: '',
  unused: '',
  unread: '',
  eav: '',
  page: 1,
  // The oldest number is usually the main line.
  sort: 'created_at',
  dir: 'asc' as SortDirection,
};

/** Names of the visible columns as the CSV export expects them. */
const exported = (keys: string[]): string[] =>
  keys.filter((key) => key !== 'menu').map((key) => (key === 'last_call_at' ? 'last_used' : key));

/** A page of numbers, with filters and order that are kept in the URL. */
function useNumberList() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const pageSize = usePageSize('numbers', 25, () => set({ page: 1 }));
  const orNull = (text: string): string | null => text || null;
  const matching = {
    search: orNull(filters.search),
    status: orNull(filters.status),
    category: orNull(filters.category),
    routingType: orNull(filters.routingType),
    tag: orNull(filters.tag),
    sms: orNull(filters.sms),
    unused: orNull(filters.unused),
    unread: orNull(filters.unread),
    eav: filters.eav ? parseFieldFilters(filters.eav) : null,
  };
  const order = { sort: filters.sort, dir: filters.dir };
  const list = useApiQuery(numbers.listNumbersDatatable, {
    query: { ...matching, ...order, page: filters.page, perPage: pageSize.perPage },
  });
  return { filters, set, clear, isFiltered, matching, order, pageSize, list };
}
type NumberList = ReturnType<typeof useNumberList>;

/** The numbers selected in the list. A selection made under other filters no longer applies. */
function useSelection({ matching }: NumberList) {
  const [selected, setSelected] = useState<Set<string | number>>(new Set());
  const asked = JSON.stringify(matching);
  useEffect(() => setSelected(new Set()), [asked]);
  return { selected, setSelected };
}

/** The list's columns with the company's fields; the row menu stays the last one. */
function useNumberColumns(onTag: (tag: string) => void, mayBuy: boolean) {
  const custom = useFieldColumns<numbers.NumberRow>(entityOf.number, (n) => n.eavAttributeValues);
  const own = numberColumns({ onTag, menu: mayBuy ? (n) => <NumberMenu number={n} /> : null });
  return [...own.filter((c) => c.title), ...custom, ...own.filter((c) => !c.title)];
}

/** The list of the company's numbers. */
export default function Numbers() {
  const numberList = useNumberList();
  const { filters, set, clear, isFiltered, matching, order, list } = numberList;
  const mayBuy = usePermission('numbers.buy');
  const selection = useSelection(numberList);
  const [shown, setShown] = useState<string[]>([]);
  useCommands(
    mayBuy
      ? [{ id: 'numbers.buy', title: t('Buy numbers'), group: t('Numbers'), href: '/numbers/buy' }]
      : [],
  );
  return (
    <Page
      title={t('Numbers')}
      layout="fill"
      action={mayBuy && <BuyButton />}
      filters={
        <>
          <NumbersTabs />
          <FilterBar
            isFiltered={isFiltered}
            onClear={clear}
            right={<ExportButton query={{ ...matching, ...order, columns: exported(shown) }} />}
          >
            <NumberFilters filters={filters} set={set} />
          </FilterBar>
        </>
      }
    >
      <StatsStrip
        current={{
          category: filters.category,
          sms: filters.sms,
          unused: filters.unused,
          status: filters.status,
        }}
        onPick={(filter) => set(filter)}
      />
      {mayBuy && (
        <BulkBar
          selected={selection.selected}
          of={list.response?.meta ?? { total: 0 }}
          shown={list.response?.data.length ?? 0}
          filters={Object.fromEntries(
            Object.entries(matching).filter(([, value]) => value !== null),
          )}
          clear={() => selection.setSelected(new Set())}
        />
      )}
      <NumberRows
        numberList={numberList}
        selection={selection}
        onVisibleColumns={setShown}
        mayBuy={mayBuy}
      />
    </Page>
  );
}

function NumberRows({
  numberList,
  selection: { selected, setSelected },
  onVisibleColumns,
  mayBuy,
}: {
  numberList: NumberList;
  selection: ReturnType<typeof useSelection>;
  onVisibleColumns: (keys: string[]) => void;
  mayBuy: boolean;
}) {
  const { filters, set, clear, isFiltered, pageSize, list } = numberList;
  const columns = useNumberColumns((tag) => set({ tag }), mayBuy);
  return (
    <DataList
      label={t('Numbers')}
      {...(mayBuy && { selected, onSelect: setSelected })}
      {...pagedList(list, { filters, set }, pageSize)}
      rowKey={(n) => n.id}
      rowLabel={(n) => [formatPhoneNumber(n.number), n.label].filter(Boolean).join(', ')}
      href={(n) => `/numbers/${n.id}`}
      columns={columns}
      columnPresets={{
        list: 'numbers',
        filters,
        onFilters: (kept) => set({ ...defaultFilters, ...kept, page: 1 }),
        onVisibleColumns,
      }}
      empty={
        <ListEmpty
          list={{ isFiltered, clear }}
          icon={IconHash}
          noMatch={t('No numbers match these filters')}
          title={t('No numbers yet')}
          action={mayBuy && <BuyButton />}
        >
          {mayBuy
            ? t(
                'You need a number to receive calls and texts. Search by area code, city or word, and get one in a minute.',
              )
            : t('Numbers assigned to you appear here. An administrator can buy some.')}
        </ListEmpty>
      }
    />
  );
}

const BuyButton = () => (
  <Button component="a" href="/numbers/buy">
    {t('Buy numbers')}
  </Button>
);

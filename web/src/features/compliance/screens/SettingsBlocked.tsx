import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { compliance, numbers, sentences, type Answer } from '#contract';
import {
  type Column,
  DataList,
  FilterBar,
  formatPhoneNumber,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  useApiMutation,
} from '#ui';
import { ListEmpty } from '../../../shared/ListEmpty.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { BlockDialog } from '../blocks/BlockDialog.tsx';
import { displayTarget } from '../blocks/target.ts';

type Block = Answer<typeof compliance.listBlocks>['data'][number];
const defaultFilters = { search: '', page: 1 };

/** Callers that are blocked, and exceptions from broader blocks. */
export default function SettingsBlocked() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('blocked', 10, () => set({ page: 1 }));
  const [adding, setAdding] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(compliance.listBlocks, {
    query: { page: filters.page, perPage, search: filters.search || null },
  });
  const { mutate: unblock, isPending } = useApiMutation(compliance.removeBlock, {
    invalidates: [compliance.listBlocks],
    success: (_answer, { params }) => {
      const gone = response?.data.find((b) => b.id === params?.id);
      return gone && gone.action === 1
        ? t(sentences.unblocked, { number: displayTarget(gone.target) })
        : t('Exception removed');
    },
  });
  const nameOf = useNumberName(response?.data.some((b) => b.number_id !== null) ?? false);
  const remove = (b: Block): void => void unblock({ params: { id: b.id } });
  const columns = blockColumns({ nameOf, isPending, remove });
  const add = <Button onClick={() => setAdding(true)}>{t('Block a number')}</Button>;
  return (
    <SettingsFrame
      title={t('Blocked numbers')}
      layout="fill"
      description={t('Calls from these numbers are rejected and their texts are hidden.')}
      action={add}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            maxLength={60}
            label={t('Search blocked numbers')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Blocked numbers')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(b) => b.id}
        rowLabel={(b) => displayTarget(b.target)}
        columns={columns}
        comfortable
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response,
          onPage: (page) => set({ page }),
        }}
        empty={
          <ListEmpty
            list={{ isFiltered, clear }}
            icon={IconBan}
            noMatch={t('No blocked numbers match')}
            title={t('No blocked numbers')}
            action={add}
          >
            {t('Block a caller here, or from a conversation.')}
          </ListEmpty>
        }
      />
      <BlockDialog open={adding} close={() => setAdding(false)} />
    </SettingsFrame>
  );
}

/** The label of one of the company's numbers by ID, loaded only when `enabled`. */
function useNumberName(enabled: boolean): (numberId: number) => string {
  const companyId = useCompanyId();
  const mine = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: companyId ?? 0 } },
    { enabled, silent: true, staleTime: 60_000 },
  );
  return (numberId) => {
    const n = mine.response?.data.find((each) => each.id === numberId);
    return n ? n.label || formatPhoneNumber(n.number) : t('One of your numbers');
  };
}

interface BlockActions {
  /** Name of one of the company's numbers by ID. */
  nameOf: (numberId: number) => string;
  isPending: boolean;
  remove: (block: Block) => void;
}

const blockColumns = ({ nameOf, isPending, remove }: BlockActions): Column<Block>[] => [
  {
    key: 'target',
    title: t('Caller'),
    width: 'minmax(170px, 1.4fr)',
    cell: (b) => (
      <span>
        {b.contact ? `${b.contact.name} · ` : ''}
        {displayTarget(b.target)}
      </span>
    ),
  },
  {
    key: 'scope',
    title: t('Applies to'),
    cell: (b) => scopeOf(b, nameOf),
    wideOnly: true,
  },
  {
    key: 'action',
    title: t('Effect'),
    width: '110px',
    wideOnly: true,
    cell: (b) => <Effect isBlock={b.action === 1} />,
  },
  { key: 'by', title: t('By'), cell: (b) => b.created_by?.name ?? '–', wideOnly: true },
  {
    key: 'at',
    title: t('Since'),
    width: '100px',
    cell: (b) => <Time at={b.created_at} />,
    wideOnly: true,
  },
  {
    key: 'do',
    title: '',
    width: '96px',
    align: 'end',
    cell: (b) => (
      <Button
        size="compact-sm"
        variant="default"
        disabled={isPending}
        aria-label={t('Unblock {number}', { number: displayTarget(b.target) })}
        onClick={() => remove(b)}
      >
        {b.action === 1 ? t('Unblock') : t('Remove')}
      </Button>
    ),
  },
];

function scopeOf(b: Block, nameOf: (numberId: number) => string): string {
  if (b.global) return t('Everywhere');
  return b.number_id ? nameOf(b.number_id) : t('All your numbers');
}

function Effect({ isBlock }: { isBlock: boolean }) {
  if (!isBlock) return <StatusBadge tone="success">{t('Allowed')}</StatusBadge>;
  return (
    <StatusBadge tone="danger" icon={<IconBan size={14} aria-hidden />}>
      {t('Blocked')}
    </StatusBadge>
  );
}

import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { compliance, numbers, sentences, type Answer } from '#contract';
import {
  type Column,
  DataList,
  formatPhoneNumber,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  useApiMutation,
} from '#ui';
import { pagedList } from '#ui/list/paged-list.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { BlockDialog } from '../blocks/BlockDialog.tsx';
import { displayTarget } from '../blocks/target.ts';

type Block = Answer<typeof compliance.listBlocks>['data'][number];
const defaultFilters = { search: '', page: 1 };

/** Callers that are blocked, and exceptions from broader blocks. */
export default function SettingsBlocked() {
  const [adding, setAdding] = useState(false);
  const { response, list, ...filtering } = useBlockList();
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
      filters={<ListFilters list={filtering} maxLength={60} label={t('Search blocked numbers')} />}
    >
      <DataList
        label={t('Blocked numbers')}
        {...list}
        rowKey={(b) => b.id}
        rowLabel={(b) => displayTarget(b.target)}
        columns={columns}
        comfortable
        empty={
          <ListEmpty
            list={filtering}
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

/** The blocked numbers that match the search in the URL. */
function useBlockList() {
  const filtering = useFilters(defaultFilters);
  const { filters, set } = filtering;
  const pageSize = usePageSize('blocked', 10, () => set({ page: 1 }));
  const { response, ...read } = useApiQuery(compliance.listBlocks, {
    query: { page: filters.page, perPage: pageSize.perPage, search: filters.search || null },
  });
  // The specification gives this list its paging beside the rows.
  const page = response && { data: response.data, meta: response };
  return {
    ...filtering,
    response,
    list: pagedList({ ...read, response: page }, filtering, pageSize),
  };
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

import { Button } from '@mantine/core';
import { live } from '#contract';
import { foldedIncludes } from '#contract/fold';
import type { LiveCall } from '#contract/calls/live/schemas';
import {
  canCall,
  DataList,
  EmptyState,
  Page,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  useNow,
  useStore,
  useUser,
} from '#ui';
import { liveCallColumns } from '../live/live-call-columns.tsx';
import { livePartyName } from '../live/ParkedCalls.tsx';
import { phone } from '../phone/phone.ts';

/** Whether a call's party, number, route or people contain the text. */
function matchesSearch(call: LiveCall, search: string): boolean {
  return [
    livePartyName(call),
    call.party,
    call.number.number,
    call.number.label,
    call.route ?? '',
    ...call.people.map((p) => p.label),
  ].some((text) => foldedIncludes(text, search));
}

/** Running calls with their state, and monitoring for supervisors. */
export default function LiveCalls() {
  const user = useUser();
  const now = Number(useNow(1000));
  const { filters, set, clear, isFiltered } = useFilters({ search: '' });
  const { response, error, loading, refetch } = useApiQuery(
    live.listLiveCalls,
    {},
    { silent: true },
  );
  const inCall = useStore(
    phone,
    (s) =>
      s.media?.lines.some((l) => l.state === 'answered' && !s.info[l.leg]?.monitoring) ?? false,
  );
  const rows = response?.data.filter((c) => matchesSearch(c, filters.search));
  const columns = liveCallColumns(now, { userId: user?.id, able: canCall(user), inCall });
  return (
    <Page
      title={t('Live calls')}
      layout="fill"
      back={{ href: '/activity/calls', label: t('Calls') }}
      filters={
        <FilterLine>
          <SearchField
            label={t('Search live calls')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
        </FilterLine>
      }
    >
      <DataList
        label={t('Live calls')}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        columns={columns}
        rowKey={(c) => c.id}
        rowLabel={livePartyName}
        empty={<NoCalls isFiltered={isFiltered} onClear={clear} />}
      />
    </Page>
  );
}

function NoCalls({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState title={t('No calls right now')}>{t('Active calls appear here live.')}</EmptyState>
    );
  return (
    <EmptyState
      title={t('No results')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('No live calls match.')}
    </EmptyState>
  );
}

const FilterLine = ({ children }: { children: React.ReactNode }) => (
  <div style={{ display: 'flex' }}>{children}</div>
);

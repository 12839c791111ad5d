import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { IconDownload, IconFileSearch } from '@tabler/icons-react';
import { search } from '#contract';
import {
  api,
  ErrorState,
  FilterBar,
  formatDate,
  Page,
  SearchField,
  t,
  trackBatch,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  userZone,
} from '#ui';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { PhraseFilter } from '../phrases/PhraseFilter.tsx';
import { CallSearchResults } from '../record/CallSearchResults.tsx';
import { useOurNumbers } from '../../conversations/index.ts';
import { SourceFilter } from '../../tracking/index.ts';

const defaultFilters = {
  q: '',
  number: '',
  direction: '',
  outcome: '',
  source: '',
  phrases: '',
  period: '',
  page: 1,
};
const days: Record<string, number> = { week: 6, month: 29, quarter: 89, year: 364 };

type Filters = typeof defaultFilters;

/** The filters as the API takes them. */
const searchQuery = (filters: Filters) => ({
  q: filters.q.trim() || null,
  direction: filters.direction || null,
  outcome: filters.outcome || null,
  tz: userZone(),
  number_ids: filters.number ? [Number(filters.number)] : null,
  sources: filters.source ? [filters.source] : null,
  phrase_list_ids: filters.phrases ? [Number(filters.phrases)] : null,
  start: startOf(filters.period),
});

/** The first day of a period as `YYYY-MM-DD`; null for all time. */
function startOf(period: string): string | null {
  const back = days[period];
  if (back === undefined) return null;
  return new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
}

/** Starts an export of all matching calls and shows its progress. */
function useExport(query: ReturnType<typeof searchQuery>) {
  const [busy, setBusy] = useState(false);
  const exportAll = async (): Promise<void> => {
    setBusy(true);
    const begun = await api(search.searchCalls, {
      query: { ...query, format: 'csv' },
    }).catch(() => null);
    setBusy(false);
    const meta = begun?.meta as { batchId?: string; total?: number } | undefined;
    if (meta?.batchId)
      trackBatch({
        id: meta.batchId,
        label: t('{n, plural, one {Exporting # call} other {Exporting # calls}}', {
          n: meta.total ?? 0,
        }),
        total: meta.total ?? 0,
        of: 'exports',
      });
  };
  return { exportAll, busy };
}

/** Searches calls by transcript, note, tag or caller; pressing a passage plays that moment. */
export default function CallSearch() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('call-search', 25, () => set({ page: 1 }));
  const exports = usePermission('exports.make');
  const query = searchQuery(filters);
  const { response, error, loading, refetch } = useApiQuery(
    search.searchCalls,
    { query: { ...query, page: filters.page, perPage } },
    { silent: true, staleTime: 5000 },
  );
  const { exportAll, busy } = useExport(query);
  const total = response?.meta.total ?? 0;
  return (
    <Page
      title={t('Search calls')}
      back={{ href: '/activity/calls', label: t('Calls') }}
      description={t(
        'Words in any form, "an exact phrase", -without, begin*, speaker:client or speaker:agent. Searches transcripts, notes, tags, names and numbers.',
      )}
      action={
        exports &&
        total > 0 && (
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void exportAll()}
          >
            {t('Export')}
          </Button>
        )
      }
      filters={
        <CallFilters filters={filters} onChange={set} isFiltered={isFiltered} onClear={clear} />
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <>
          <SearchedBack meta={response?.meta} />
          <CallSearchResults
            hits={response?.data}
            loading={loading}
            paging={{
              page: filters.page,
              perPage,
              onPerPage,
              meta: response?.meta,
              onPage: (page) => set({ page }),
            }}
            said={filters.q.trim() !== ''}
            empty={<NoCalls list={{ isFiltered, clear }} hasWords={filters.q !== ''} />}
          />
        </>
      )}
    </Page>
  );
}

/** Says how far back a search looked for a word that thousands of calls have. */
function SearchedBack({ meta }: { meta: Record<string, unknown> | undefined }) {
  const since = meta?.['searched_since'];
  if (typeof since !== 'string') return null;
  return (
    <Text size="sm" c="dimmed" role="status" mb="xs">
      {t('Searched back to {date}. Add a word to look further.', { date: formatDate(since) })}
    </Text>
  );
}

const directions = (): [string, string][] => [
  ['inbound', t('Incoming')],
  ['outbound', t('Outgoing')],
];
const outcomes = (): [string, string][] => [
  ['1', t('Answered')],
  ['2', t('Missed')],
  ['3', t('Voicemail')],
];
const periods = (): [string, string][] => [
  ['week', t('Last 7 days')],
  ['month', t('Last 30 days')],
  ['quarter', t('Last 90 days')],
  ['year', t('Last year')],
];

/** Two beside each other on a telephone. */
const width = { base: 'calc(50% - 4px)', sm: 150 };

function CallFilters({
  filters,
  onChange,
  isFiltered,
  onClear,
}: {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  isFiltered: boolean;
  onClear: () => void;
}) {
  const numbers = useOurNumbers();
  return (
    <FilterBar isFiltered={isFiltered} onClear={onClear}>
      <SearchField
        maxLength={200}
        label={t('Search calls')}
        placeholder={t('insurance -refund "root canal"')}
        value={filters.q}
        onChange={(q) => onChange({ q })}
        width={360}
      />
      <FilterSelect
        w={width}
        label={t('Direction')}
        value={filters.direction}
        onChange={(direction) => onChange({ direction })}
        options={directions()}
      />
      <FilterSelect
        w={width}
        label={t('Outcome')}
        value={filters.outcome}
        onChange={(outcome) => onChange({ outcome })}
        options={outcomes()}
      />
      {numbers.length > 1 && (
        <FilterSelect
          w={width}
          label={t('Your number')}
          value={filters.number}
          onChange={(number) => onChange({ number })}
          options={numbers.map((n) => [String(n.id), n.label])}
        />
      )}
      <PhraseFilter value={filters.phrases} onChange={(phrases) => onChange({ phrases })} />
      <SourceFilter value={filters.source} onChange={(source) => onChange({ source })} />
      <FilterSelect
        w={width}
        label={t('Period')}
        value={filters.period}
        onChange={(period) => onChange({ period })}
        options={periods()}
      />
    </FilterBar>
  );
}

const NoCalls = ({
  list,
  hasWords,
}: {
  list: { isFiltered: boolean; clear: () => void };
  hasWords: boolean;
}) => (
  <ListEmpty
    list={list}
    icon={IconFileSearch}
    noMatch={hasWords ? t('No calls match') : t('No calls with a transcript match')}
    title={t('No transcripts yet')}
  >
    {t(
      'Transcribed calls and voicemails appear here. You can already search notes, tags, names and numbers.',
    )}
  </ListEmpty>
);

import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconDownload, IconFileSearch } from '@tabler/icons-react';
import { callcare } from '#contract';
import {
  api,
  EmptyState,
  ErrorState,
  FilterBar,
  Page,
  SearchField,
  t,
  trackBatch,
  useApiQuery,
  useFilters,
  usePermission,
  userZone,
} from '#ui';
import { CallSearchResults } from '../record/CallSearchResults.tsx';
import { useOurNumbers } from '../../conversations/index.ts';

const defaultFilters = { q: '', number: '', direction: '', outcome: '', period: '', page: 1 };
const perPage = 25;
const days: Record<string, number> = { week: 6, month: 29, quarter: 89, year: 364 };

/** Searches calls by transcript, note, tag or caller; pressing a passage plays that moment. */
export default function CallSearch() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const exports = usePermission('exports.make');
  const numbers = useOurNumbers();
  const [busy, setBusy] = useState(false);
  const zone = userZone();
  const query = {
    q: filters.q.trim() || null,
    direction: filters.direction || null,
    outcome: filters.outcome || null,
    tz: zone,
    number_ids: filters.number ? [Number(filters.number)] : null,
    start:
      filters.period in days
        ? new Date(Date.now() - days[filters.period]! * 86_400_000).toISOString().slice(0, 10)
        : null,
  };
  const { response, error, loading, refetch } = useApiQuery(
    callcare.searchCalls,
    { query: { ...query, page: filters.page, perPage } },
    { silent: true, staleTime: 5000 },
  );
  const total = response?.meta.total ?? 0;
  const exportAll = async (): Promise<void> => {
    setBusy(true);
    const begun = await api(callcare.searchCalls, {
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
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            maxLength={200}
            label={t('Search calls')}
            placeholder={t('insurance -refund "root canal"')}
            value={filters.q}
            onChange={(q) => set({ q })}
            width={360}
          />
          <FilterSelect
            label={t('Direction')}
            value={filters.direction}
            onChange={(direction) => set({ direction })}
            data={[
              ['inbound', t('Incoming')],
              ['outbound', t('Outgoing')],
            ]}
          />
          <FilterSelect
            label={t('Outcome')}
            value={filters.outcome}
            onChange={(outcome) => set({ outcome })}
            data={[
              ['1', t('Answered')],
              ['2', t('Missed')],
              ['3', t('Voicemail')],
            ]}
          />
          {numbers.length > 1 && (
            <FilterSelect
              label={t('Your number')}
              value={filters.number}
              onChange={(number) => set({ number })}
              data={numbers.map((n) => [String(n.id), n.label])}
            />
          )}
          <FilterSelect
            label={t('Period')}
            value={filters.period}
            onChange={(period) => set({ period })}
            data={[
              ['week', t('Last 7 days')],
              ['month', t('Last 30 days')],
              ['quarter', t('Last 90 days')],
              ['year', t('Last year')],
            ]}
          />
        </FilterBar>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <CallSearchResults
          hits={response?.data}
          loading={loading}
          paging={{
            page: filters.page,
            perPage,
            meta: response?.meta,
            onPage: (page) => set({ page }),
          }}
          said={filters.q.trim() !== ''}
          empty={
            isFiltered ? (
              <EmptyState
                icon={<IconFileSearch size={28} stroke={1.5} />}
                title={t('No calls match')}
                action={
                  <Button variant="default" onClick={clear}>
                    {t('Clear filters')}
                  </Button>
                }
              >
                {t('Try fewer words, or begin* if you know only the start of a word.')}
              </EmptyState>
            ) : (
              <EmptyState
                icon={<IconFileSearch size={28} stroke={1.5} />}
                title={t('No transcripts yet')}
              >
                {t(
                  'Transcribed calls and voicemails appear here. You can already search notes, tags, names and numbers.',
                )}
              </EmptyState>
            )
          }
        />
      )}
    </Page>
  );
}

const FilterSelect = ({
  label,
  value,
  data,
  onChange,
}: {
  label: string;
  value: string;
  data: [string, string][];
  onChange: (value: string) => void;
}) => (
  <Select
    size="sm"
    w={{ base: 'calc(50% - 4px)', sm: 150 }}
    clearable
    aria-label={label}
    placeholder={label}
    value={value || null}
    data={data.map(([v, l]) => ({ value: v, label: l }))}
    onChange={(v) => onChange(v ?? '')}
    searchable={data.length > 10}
    clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
  />
);

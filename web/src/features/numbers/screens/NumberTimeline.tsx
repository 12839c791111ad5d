import { useState } from 'react';
import { Button, MultiSelect, Skeleton, Stack, Switch } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { numbers, routing } from '#contract';
import {
  api,
  EmptyState,
  ErrorState,
  FilterBar,
  formatPhoneNumber,
  Page,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { timelineIcon, timelineName } from '../timeline-labels.tsx';
import css from './NumberTimeline.module.css';

/** Timeline of a number, newest entry first. */
export default function NumberTimeline() {
  const id = useIdParam();
  const { filters, set, clear, isFiltered } = useFilters({ types: '', visitors: true });
  const types = filters.types ? filters.types.split(',') : [];
  const { n, inPool, rows, summary, error, refetch, next, busy, showOlder } = useTimeline(
    id,
    // In a busy pool, visitors hide the rest.
    types.length || filters.visitors ? types : numbers.timelineTypes.filter(isNotOfVisitors),
  );
  const back = {
    href: id === null ? '/numbers' : `/numbers/${id}`,
    label: n ? formatPhoneNumber(n.number) : t('Number'),
  };
  return (
    <Page
      title={
        n ? t('{name} – Timeline', { name: n.label || formatPhoneNumber(n.number) }) : t('Timeline')
      }
      layout="read"
      back={back}
      description={summary}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <TypeFilter types={types} onChange={(chosen) => set({ types: chosen.join(',') })} />
          {inPool && types.length === 0 && (
            <Switch
              label={t('Website visitors')}
              checked={filters.visitors}
              onChange={(e) => set({ visitors: e.currentTarget.checked })}
            />
          )}
        </FilterBar>
      }
    >
      {error && !rows ? (
        <ErrorState error={error} retry={refetch} notFound={t('Number not found')} />
      ) : !rows ? (
        <Stack>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={40} />
          ))}
        </Stack>
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<IconHistory size={28} stroke={1.5} />}
          title={t('Nothing of this type yet')}
        >
          {t('Changes, calls and texts on this number appear here as they happen.')}
        </EmptyState>
      ) : (
        <Entries rows={rows} />
      )}
      {rows && next && (
        <Button variant="default" mt="md" loading={busy} onClick={() => void showOlder()}>
          {t('Show older')}
        </Button>
      )}
    </Page>
  );
}

function TypeFilter({ types, onChange }: { types: string[]; onChange: (types: string[]) => void }) {
  return (
    <MultiSelect
      aria-label={t('Entry types')}
      placeholder={types.length ? '' : t('Everything')}
      miw={260}
      clearable
      clearButtonProps={{ 'aria-label': t('Everything') }}
      data={numbers.timelineTypes.map((type) => ({ value: type, label: timelineName(type) }))}
      value={types}
      onChange={onChange}
    />
  );
}

const ofVisitors: readonly string[] = ['lease_started', 'lease_ended', 'swap_seen'];
const isNotOfVisitors = (type: string): boolean => !ofVisitors.includes(type);

/** The number, its timeline filtered by entry types (none: all), and the action that loads more. */
function useTimeline(id: number | null, types: string[]) {
  const companyId = useCompanyId();
  const found = useApiQuery(
    routing.getNumber,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, silent: true },
  );
  const n = found.response?.data;
  const params = { companyId: companyId ?? 0, number: n?.number ?? '' };
  const query = { limit: 50, types: types.length ? types.join(',') : null };
  const options = {
    enabled: n !== undefined,
    silent: true,
    staleTime: numbers.timelineFreshSeconds * 1000,
  };
  const meta = useApiQuery(numbers.numberTimelineMetaData, { params }, options);
  const first = useApiQuery(numbers.numberTimelineEvents, { params, query }, options);
  const older = useOlderEvents({ params, query }, first.response?.meta.next_cursor ?? null);
  return {
    n,
    inPool: meta.response?.data.pool != null,
    rows:
      n && first.response ? [...(first.response.data[n.number] ?? []), ...older.events] : undefined,
    summary: n && meta.response ? summaryOf(meta.response.data) : undefined,
    error: found.error ?? first.error,
    refetch: (): void => {
      found.refetch();
      first.refetch();
    },
    next: older.next,
    busy: older.busy,
    showOlder: older.load,
  };
}

interface TimelineRequest {
  params: { companyId: number; number: string };
  query: { limit: number; types: string | null };
}

/**
 * The pages after the first one, which ended at `firstCursor`; another number or filter drops them.
 */
function useOlderEvents({ params, query }: TimelineRequest, firstCursor: string | null) {
  const [loaded, setLoaded] = useState<{
    of: string;
    events: numbers.TimelineEvent[];
    next: string | null;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const key = `${params.number}:${query.types ?? ''}`;
  const older = loaded?.of === key ? loaded : { events: [], next: firstCursor };
  const load = async (): Promise<void> => {
    if (!params.number || !older.next) return;
    setBusy(true);
    const response = await api(numbers.numberTimelineEvents, {
      params,
      query: { ...query, cursor: older.next },
    }).catch(() => null);
    setBusy(false);
    if (response)
      setLoaded({
        of: key,
        events: [...older.events, ...(response.data[params.number] ?? [])],
        next: response.meta.next_cursor,
      });
  };
  return { events: older.events, next: older.next, busy, load };
}

const summaryOf = (found: { event_count: number; first_seen: string }): string =>
  t('{n, plural, one {# entry} other {# entries}} since {when}', {
    n: found.event_count,
    when: new Date(found.first_seen).toLocaleDateString('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
    }),
  });

function Entries({ rows }: { rows: readonly numbers.TimelineEvent[] }) {
  return (
    <ol className={css.line} aria-label={t('Timeline')}>
      {rows.map((event) => (
        <li key={event.id} className={css.entry}>
          <span className={css.icon} aria-hidden>
            {timelineIcon(event.type)}
          </span>
          <span className={css.what}>
            {event.type === 'call' || event.type === 'blocked_call' ? (
              <a href={`/calls/${(event.after as { callId?: number } | null)?.callId ?? ''}`}>
                {event.summary}
              </a>
            ) : (
              event.summary
            )}
            <small>
              {timelineName(event.type)}
              {event.actor.name && event.actor.type !== 'system' && ` · ${event.actor.name}`}
            </small>
          </span>
          <Time at={event.at} as="instant" />
        </li>
      ))}
    </ol>
  );
}

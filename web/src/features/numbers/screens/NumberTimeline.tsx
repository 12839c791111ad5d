import { useState } from 'react';
import { Button, MultiSelect, Skeleton, Stack } from '@mantine/core';
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
  const companyId = useCompanyId();
  const { filters, set, clear, isFiltered } = useFilters({ types: '' });
  const found = useApiQuery(
    routing.getNumber,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, silent: true },
  );
  const n = found.response?.data;
  const params = { companyId: companyId ?? 0, number: n?.number ?? '' };
  const types = filters.types ? filters.types.split(',') : [];
  const options = {
    enabled: n !== undefined,
    silent: true,
    staleTime: numbers.timelineFreshSeconds * 1000,
  };
  const meta = useApiQuery(numbers.numberTimelineMetaData, { params }, options);
  const first = useApiQuery(
    numbers.numberTimelineEvents,
    { params, query: { limit: 50, types: types.length ? types.join(',') : null } },
    options,
  );
  const [older, setOlder] = useState<{
    of: string;
    events: numbers.TimelineEvent[];
    next: string | null;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const key = `${n?.number}:${filters.types}`;
  const more = older?.of === key ? older : null;
  const rows =
    n && first.response
      ? [...(first.response.data[n.number] ?? []), ...(more?.events ?? [])]
      : undefined;
  const next = more ? more.next : (first.response?.meta.next_cursor ?? null);
  const showOlder = async (): Promise<void> => {
    if (!n || !next) return;
    setBusy(true);
    const response = await api(numbers.numberTimelineEvents, {
      params,
      query: { limit: 50, cursor: next, types: types.length ? types.join(',') : null },
    }).catch(() => null);
    setBusy(false);
    if (response)
      setOlder({
        of: key,
        events: [...(more?.events ?? []), ...(response.data[n.number] ?? [])],
        next: response.meta.next_cursor,
      });
  };
  const back = {
    href: id === null ? '/numbers' : `/numbers/${id}`,
    label: n ? formatPhoneNumber(n.number) : t('Number'),
  };
  const error = found.error ?? first.error;
  return (
    <Page
      title={
        n ? t('{name} – Timeline', { name: n.label || formatPhoneNumber(n.number) }) : t('Timeline')
      }
      layout="read"
      back={back}
      description={
        n && meta.response
          ? t('{n, plural, one {# entry} other {# entries}} since {when}', {
              n: meta.response.data.event_count,
              when: new Date(meta.response.data.first_seen).toLocaleDateString('en-US', {
                month: 'short',
                day: 'numeric',
                year: 'numeric',
              }),
            })
          : undefined
      }
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <MultiSelect
            aria-label={t('Entry types')}
            placeholder={types.length ? '' : t('Everything')}
            miw={260}
            clearable
            clearButtonProps={{ 'aria-label': t('Everything') }}
            data={numbers.timelineTypes.map((type) => ({ value: type, label: timelineName(type) }))}
            value={types}
            onChange={(chosen) => set({ types: chosen.join(',') })}
          />
        </FilterBar>
      }
    >
      {error && !rows ? (
        <ErrorState
          error={error}
          retry={() => {
            found.refetch();
            first.refetch();
          }}
        />
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
      )}
      {rows && next && (
        <Button variant="default" mt="md" loading={busy} onClick={() => void showOlder()}>
          {t('Show older')}
        </Button>
      )}
    </Page>
  );
}

import { Button, Group } from '@mantine/core';
import { IconEar, IconMicrophone, IconVolume } from '@tabler/icons-react';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import type { MonitorMode } from '#contract/calls/live/rules';
import {
  canCall,
  DataList,
  EmptyState,
  formatPhoneNumber,
  Page,
  SearchField,
  StatusBadge,
  t,
  useApiQuery,
  useFilters,
  useNow,
  useStore,
  useUser,
  type Column,
} from '#ui';
import { liveStates } from '../live/live-states.ts';
import { livePartyName } from '../live/ParkedCalls.tsx';
import { monitorCall, phone, unparkCall } from '../phone/phone.ts';
import { monitorModeLabels } from '../live/MonitoringPanel.tsx';

const icons: Record<MonitorMode, typeof IconEar> = {
  listen: IconEar,
  whisper: IconMicrophone,
  barge: IconVolume,
};
const formatClock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.max(0, Math.floor(ms / 1000)) % 60).padStart(2, '0')}`;

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
  const able = canCall(user);
  const wanted = filters.search.toLowerCase();
  const rows = response?.data.filter(
    (c) =>
      !wanted ||
      [
        livePartyName(c),
        c.party,
        c.number.number,
        c.number.label,
        c.route ?? '',
        ...c.people.map((p) => p.label),
      ].some((word) => word.toLowerCase().includes(wanted)),
  );
  const mine = (c: LiveCall): MonitorMode | null =>
    c.monitors.find((m) => m.user_id === user?.id)?.mode ?? null;
  const party = (c: LiveCall): boolean => c.people.some((p) => p.user_id === user?.id);

  const columns: Column<LiveCall>[] = [
    {
      key: 'state',
      title: t('State'),
      width: '128px',
      cell: (c) => (
        <StatusBadge tone={liveStates[c.state].tone}>
          {c.slot ? t('Parked in slot {n}', { n: c.slot }) : t(liveStates[c.state].label)}
        </StatusBadge>
      ),
    },
    {
      key: 'since',
      title: t('Since'),
      width: '72px',
      cell: (c) => (
        <span style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatClock(now - Date.parse(c.since))}
        </span>
      ),
    },
    {
      key: 'party',
      title: t('Caller'),
      cell: (c) => (
        <>
          {livePartyName(c)}
          {c.party.startsWith('+') && livePartyName(c) !== formatPhoneNumber(c.party) && (
            <EmptyLine>{formatPhoneNumber(c.party)}</EmptyLine>
          )}
        </>
      ),
    },
    {
      key: 'people',
      title: t('Type'),
      cell: (c) =>
        c.people
          .filter((p) => p.role === 'company')
          .map((p) =>
            p.state === 'ringing'
              ? t('{name} (ringing)', { name: p.label })
              : p.state === 'consulted'
                ? t('{name} (consulting)', { name: p.label })
                : p.label,
          )
          .join(', ') || (c.parked_by ? t('parked by {name}', { name: c.parked_by }) : '—'),
    },
    {
      key: 'number',
      title: t('Number'),
      wideOnly: true,
      cell: (c) => (
        <>
          {c.number.label || formatPhoneNumber(c.number.number)}
          {c.route && c.route !== c.number.label && <EmptyLine>{c.route}</EmptyLine>}
        </>
      ),
    },
    {
      key: 'monitor',
      title: t('Monitor'),
      width: '300px',
      cell: (c) => {
        if (c.state === 'parked')
          return able ? (
            <Button
              size="compact-sm"
              variant="default"
              disabled={inCall}
              onClick={() => void unparkCall(c.id)}
            >
              {t('Pick up')}
            </Button>
          ) : null;
        if (!able || !c.rooms || party(c) || !['talking', 'held', 'consulting'].includes(c.state))
          return null;
        return (
          <Group
            gap={4}
            wrap="nowrap"
            role="group"
            aria-label={t('Monitor call with {name}', { name: livePartyName(c) })}
          >
            {(Object.keys(monitorModeLabels) as MonitorMode[]).map((mode) => {
              const Icon = icons[mode];
              return (
                <Button
                  key={mode}
                  size="compact-sm"
                  variant={mine(c) === mode ? 'filled' : 'default'}
                  aria-pressed={mine(c) === mode}
                  disabled={inCall}
                  leftSection={<Icon size={14} aria-hidden />}
                  onClick={() => void monitorCall(c.id, mode)}
                >
                  {t(monitorModeLabels[mode].label)}
                </Button>
              );
            })}
          </Group>
        );
      },
    },
  ];
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
        empty={
          isFiltered ? (
            <EmptyState
              title={t('No results')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('No live calls match.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No calls right now')}>
              {t('Active calls appear here live.')}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

const EmptyLine = ({ children }: { children: React.ReactNode }) => (
  <span
    style={{ display: 'block', color: 'var(--tl-quiet)', fontSize: 'var(--mantine-font-size-xs)' }}
  >
    {children}
  </span>
);
const FilterLine = ({ children }: { children: React.ReactNode }) => (
  <div style={{ display: 'flex' }}>{children}</div>
);

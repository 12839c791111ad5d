import { Button, Group } from '@mantine/core';
import { IconEar, IconMicrophone, IconVolume } from '@tabler/icons-react';
import type { LiveCall } from '#contract/calls/live/schemas';
import type { MonitorMode } from '#contract/calls/live/rules';
import { formatPhoneNumber, StatusBadge, t, type Column } from '#ui';
import { monitorCall, unparkCall } from '../phone/phone.ts';
import { liveStates } from './live-states.ts';
import { monitorModeLabels } from './MonitoringPanel.tsx';
import { livePartyName } from './ParkedCalls.tsx';

const icons: Record<MonitorMode, typeof IconEar> = {
  listen: IconEar,
  whisper: IconMicrophone,
  barge: IconVolume,
};
const monitorableStates: readonly LiveCall['state'][] = ['talking', 'held', 'consulting'];
/** `m:ss` of milliseconds. */
const formatClock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.max(0, Math.floor(ms / 1000)) % 60).padStart(2, '0')}`;

/** The viewer: what they may do with a call. */
interface Viewer {
  userId: number | undefined;
  /** May call, and so monitor and pick up. */
  able: boolean;
  /** Is in a call of their own. */
  inCall: boolean;
}

/** Columns of the list of live calls. `now` in epoch ms. */
export const liveCallColumns = (now: number, viewer: Viewer): Column<LiveCall>[] => [
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
          <SecondLine>{formatPhoneNumber(c.party)}</SecondLine>
        )}
      </>
    ),
  },
  {
    key: 'people',
    title: t('Type'),
    cell: peopleText,
  },
  {
    key: 'number',
    title: t('Number'),
    wideOnly: true,
    cell: (c) => (
      <>
        {c.number.label || formatPhoneNumber(c.number.number)}
        {c.route && c.route !== c.number.label && <SecondLine>{c.route}</SecondLine>}
      </>
    ),
  },
  {
    key: 'monitor',
    title: t('Monitor'),
    width: '300px',
    cell: (c) => <MonitorCell call={c} {...viewer} />,
  },
];

/** The company's people on the call, or who parked it. */
function peopleText(call: LiveCall): string {
  const people = call.people
    .filter((p) => p.role === 'company')
    .map((p) => {
      if (p.state === 'ringing') return t('{name} (ringing)', { name: p.label });
      if (p.state === 'consulted') return t('{name} (consulting)', { name: p.label });
      return p.label;
    })
    .join(', ');
  return people || (call.parked_by ? t('parked by {name}', { name: call.parked_by }) : '—');
}

/** Picks up a parked call, or monitors a running one that the viewer is not part of. */
function MonitorCell({ call, userId, able, inCall }: Viewer & { call: LiveCall }) {
  if (call.state === 'parked')
    return able ? (
      <Button
        size="compact-sm"
        variant="default"
        disabled={inCall}
        onClick={() => void unparkCall(call.id)}
      >
        {t('Pick up')}
      </Button>
    ) : null;
  const isParty = call.people.some((p) => p.user_id === userId);
  const canMonitor = able && call.rooms && !isParty && monitorableStates.includes(call.state);
  if (!canMonitor) return null;
  const myMode = call.monitors.find((m) => m.user_id === userId)?.mode ?? null;
  return (
    <Group
      gap={4}
      wrap="nowrap"
      role="group"
      aria-label={t('Monitor call with {name}', { name: livePartyName(call) })}
    >
      {(Object.keys(monitorModeLabels) as MonitorMode[]).map((mode) => {
        const Icon = icons[mode];
        return (
          <Button
            key={mode}
            size="compact-sm"
            variant={myMode === mode ? 'filled' : 'default'}
            aria-pressed={myMode === mode}
            disabled={inCall}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => void monitorCall(call.id, mode)}
          >
            {t(monitorModeLabels[mode].label)}
          </Button>
        );
      })}
    </Group>
  );
}

const SecondLine = ({ children }: { children: React.ReactNode }) => (
  <span
    style={{ display: 'block', color: 'var(--tl-quiet)', fontSize: 'var(--mantine-font-size-xs)' }}
  >
    {children}
  </span>
);

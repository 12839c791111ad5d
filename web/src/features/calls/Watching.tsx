import { Button, SegmentedControl } from '@mantine/core';
import { IconEar, IconPhoneOff } from '@tabler/icons-react';
import { live } from '#contract';
import type { MonitorMode } from '#contract/live';
import type { Line } from '#ui/phone/media-client.ts';
import { t, useTell, useUser } from '#ui';
import { partyOf } from './ParkedCalls.tsx';
import { usePassing } from './Passing.tsx';
import { hangUp, monitor, type CallInfo } from './phone.ts';
import css from './Passing.module.css';

export const modeWords: Record<MonitorMode, { label: string; says: string }> = {
  listen: { label: 'Listen', says: 'Nobody hears you.' },
  whisper: { label: 'Whisper', says: 'Only your colleague hears you.' },
  barge: { label: 'Barge in', says: 'Everybody hears you.' },
};

/** What a supervisor sees while in somebody's call: never to be mistaken for a call of one's own. */
export function Watching({ line, info }: { line: Line; info: CallInfo }) {
  const me = useUser()?.id;
  const call = usePassing(info.callId, true);
  const stop = useTell(live.stopMonitoring, { quiet: true });
  const mode = call?.monitors.find((m) => m.user_id === me)?.mode ?? 'listen';
  const agents =
    call?.people
      .filter((p) => p.role === 'company')
      .map((p) => p.label)
      .join(', ') ?? '';
  const leave = async (): Promise<void> => {
    if (!(await stop.tell({ params: { id: info.callId }, body: {} }))) void hangUp(line.leg);
  };
  return (
    <section className={css.watch} aria-label={t('Monitoring a call')}>
      <div className={css.watchHead}>
        <IconEar size={20} aria-hidden />
        {t('You are monitoring a call')}
      </div>
      <div>
        {call
          ? t('{agent} with {caller}', { agent: agents || t('Nobody'), caller: partyOf(call) })
          : t('Connecting …')}
      </div>
      <SegmentedControl
        fullWidth
        value={mode}
        onChange={(chosen) => void monitor(info.callId, chosen as MonitorMode)}
        data={Object.entries(modeWords).map(([value, { label }]) => ({ value, label: t(label) }))}
        aria-label={t('How')}
      />
      <div className={css.quiet} role="status">
        {t(modeWords[mode].says)}
      </div>
      <Button
        color="red"
        leftSection={<IconPhoneOff size={16} aria-hidden />}
        onClick={() => void leave()}
      >
        {t('Stop monitoring')}
      </Button>
    </section>
  );
}

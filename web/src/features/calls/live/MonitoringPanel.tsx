import { Button, SegmentedControl } from '@mantine/core';
import { IconEar, IconPhoneOff } from '@tabler/icons-react';
import { live } from '#contract';
import type { MonitorMode } from '#contract/calls/live/rules';
import type { Line } from '#ui/phone/media-client.ts';
import { t, useApiMutation, useUser } from '#ui';
import { livePartyName } from './ParkedCalls.tsx';
import { useLiveCall } from '../phone/TransferControls.tsx';
import { hangUp, monitorCall } from '../phone/phone.ts';
import type { CallInfo } from '../phone/phone-state.ts';
import css from '../phone/TransferControls.module.css';

export const monitorModeLabels: Record<MonitorMode, { label: string; description: string }> = {
  listen: { label: 'Listen', description: 'No one hears you.' },
  whisper: { label: 'Whisper', description: 'Only your teammate hears you.' },
  barge: { label: 'Barge in', description: 'Everyone hears you.' },
};

/** Shown to a supervisor while monitoring a call; looks unlike the panel of a call of their own. */
export function MonitoringPanel({ line, info }: { line: Line; info: CallInfo }) {
  const me = useUser()?.id;
  const call = useLiveCall(info.callId, true);
  const stop = useApiMutation(live.stopMonitoring, { silent: true });
  const mode = call?.monitors.find((m) => m.user_id === me)?.mode ?? 'listen';
  const agents =
    call?.people
      .filter((p) => p.role === 'company')
      .map((p) => p.label)
      .join(', ') ?? '';
  const leave = async (): Promise<void> => {
    if (!(await stop.mutate({ params: { id: info.callId }, body: {} }))) void hangUp(line.leg);
  };
  return (
    <section className={css.watch} aria-label={t('Monitoring a call')}>
      <div className={css.watchHead}>
        <IconEar size={20} aria-hidden />
        {t('You are monitoring a call')}
      </div>
      <div>
        {call
          ? t('{agent} with {caller}', {
              agent: agents || t('No one'),
              caller: livePartyName(call),
            })
          : t('Connecting…')}
      </div>
      <SegmentedControl
        fullWidth
        value={mode}
        onChange={(chosen) => void monitorCall(info.callId, chosen as MonitorMode)}
        data={Object.entries(monitorModeLabels).map(([value, { label }]) => ({
          value,
          label: t(label),
        }))}
        aria-label={t('Mode')}
      />
      <div className={css.quiet} role="status">
        {t(monitorModeLabels[mode].description)}
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

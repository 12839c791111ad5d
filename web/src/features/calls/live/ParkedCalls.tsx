import { Button, Popover } from '@mantine/core';
import { IconParking } from '@tabler/icons-react';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { partyName } from '#contract/party';
import { t, useApiQuery, useNow, useStore } from '#ui';
import { phone, unparkCall } from '../phone/phone.ts';
import css from '../phone/TransferControls.module.css';

const formatClock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.max(0, Math.floor(ms / 1000)) % 60).padStart(2, '0')}`;
export const livePartyName = (call: Pick<LiveCall, 'contact' | 'caller_name' | 'party'>): string =>
  call.contact?.name || call.caller_name || partyName(call.party, t('Withheld number'));

/** Parked calls, for everyone who may pick them up. Hidden while there are none. */
export function ParkedCalls() {
  const { response } = useApiQuery(live.listParkedCalls, {}, { silent: true, staleTime: 60_000 });
  const busy = useStore(phone, (s) => s.media?.lines.some((l) => l.state === 'answered') ?? false);
  const now = Number(useNow(1000));
  const parked = response?.data ?? [];
  if (!parked.length) return null;
  return (
    <div className={css.parked}>
      <Popover position="top-end" width={320} withArrow shadow="md">
        <Popover.Target>
          <Button variant="filled" leftSection={<IconParking size={18} aria-hidden />}>
            {t('Parked calls: {n}', { n: parked.length })}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('Parked calls')}>
          {parked.map((call) => (
            <div key={call.id} className={css.parkedRow}>
              <span className={css.slot} title={t('Slot')}>
                {call.slot}
              </span>
              <div>
                <div>{livePartyName(call)}</div>
                <div className={css.quiet}>
                  {t('{name} · waiting {time}', {
                    name: call.parked_by ?? '',
                    time: formatClock(now - Date.parse(call.since)),
                  })}
                </div>
              </div>
              <Button
                size="xs"
                disabled={busy}
                onClick={() => void unparkCall(call.id)}
                aria-label={t('Pick up the call in slot {n}', { n: call.slot ?? 0 })}
              >
                {t('Pick up')}
              </Button>
            </div>
          ))}
          {busy && (
            <div className={css.quiet}>{t('End or park your current call to pick one up.')}</div>
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

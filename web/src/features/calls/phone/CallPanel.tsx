import { Button } from '@mantine/core';
import { IconPhone, IconPhoneOff } from '@tabler/icons-react';
import { formatKeys, t, useShortcuts, useStore } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import { MonitoringPanel } from '../live/MonitoringPanel.tsx';
import { ActiveCall } from './ActiveCall.tsx';
import css from './CallPanel.module.css';
import { PartyHeader } from './PartyHeader.tsx';
import { answerCall, declineCall, phone } from './phone.ts';
import type { CallInfo } from './phone-state.ts';

const none: readonly Line[] = [];

/** The calls of this phone, above whatever screen is open. */
export function CallPanel() {
  const lines = useStore(phone, (s) => s.media?.lines ?? none);
  const info = useStore(phone, (s) => s.info);
  const isDialling = useStore(phone, (s) => s.dialling);
  if (!lines.length) return null;
  return (
    <div className={css.place}>
      {lines.map((line) => (
        <LinePanel key={line.leg} line={line} info={info[line.leg]} isDialling={isDialling} />
      ))}
    </div>
  );
}

interface LineProps {
  line: Line;
  info: CallInfo | undefined;
}

function LinePanel({ line, info, isDialling }: LineProps & { isDialling: boolean }) {
  // Lines of calls that this person started or joined answer themselves.
  const isOwn = isDialling || info?.outbound || info?.selfAnswered || info?.monitoring;
  if (line.state === 'ringing' && !isOwn) return <IncomingCall line={line} info={info} />;
  if (info?.monitoring) return <MonitoringPanel line={line} info={info} />;
  return <ActiveCall line={line} info={info} />;
}

function IncomingCall({ line, info }: { line: Line; info: CallInfo | undefined }) {
  const take = (): void => void answerCall(line.leg);
  const refuse = (): void => void declineCall(line.leg);
  useShortcuts([
    { keys: 'mod+shift+l', label: t('Answer call'), group: t('Phone'), run: take },
    { keys: 'mod+shift+x', label: t('Decline call'), group: t('Phone'), run: refuse },
  ]);
  return (
    <section
      className={css.panel}
      data-ringing
      role="alertdialog"
      aria-label={t('Incoming call')}
      aria-live="assertive"
    >
      <PartyHeader line={line} info={info} title={t('Incoming call')} />
      <div className={css.choice}>
        <Button color="red" leftSection={<IconPhoneOff size={16} aria-hidden />} onClick={refuse}>
          {t('Decline')}
        </Button>
        <Button leftSection={<IconPhone size={16} aria-hidden />} onClick={take}>
          {t('Answer')}
        </Button>
      </div>
      <div className={css.hint}>
        {t('{answer} to answer, {decline} to decline', {
          answer: formatKeys('mod+shift+l').join(' '),
          decline: formatKeys('mod+shift+x').join(' '),
        })}
      </div>
    </section>
  );
}

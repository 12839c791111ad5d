import {
  IconAlertCircle,
  IconArrowsSplit2,
  IconBell,
  IconClock,
  IconDialpad,
  IconFlag,
  IconKey,
  IconMessage,
  IconPhoneCheck,
  IconPhoneIncoming,
  IconShieldCheck,
  IconSpeakerphone,
  IconRecordMail,
} from '@tabler/icons-react';
import type { calls } from '#contract';
import { formatDuration, formatPhoneNumber, StatusBadge, t, Time, type Tone } from '#ui';
import css from './CallPath.module.css';

type Call = calls.Call;
const icons: Record<string, typeof IconFlag> = {
  start: IconPhoneIncoming,
  screen: IconShieldCheck,
  menu: IconDialpad,
  route: IconArrowsSplit2,
  hours: IconClock,
  announcement: IconSpeakerphone,
  ring: IconBell,
  confirm: IconKey,
  connect: IconPhoneCheck,
  voicemail: IconRecordMail,
  message: IconMessage,
  end: IconFlag,
};
const names: Record<string, string> = {
  start: 'Incoming call',
  screen: 'Screened',
  menu: 'Menu',
  route: 'Route',
  hours: 'Hours',
  announcement: 'Recording notice',
  ring: 'Ringing',
  confirm: 'Key to accept',
  connect: 'Connected',
  voicemail: 'Voicemail',
  message: 'Message',
  end: 'End',
};
/** A phone number as people read it; a person's internal key says nothing to people, the words beside it name them. */
const targetText = (target: string | null): string | null =>
  !target || /^user:\d+$/.test(target)
    ? null
    : /^\+\d{7,}$/.test(target)
      ? formatPhoneNumber(target)
      : target;
const plainSteps = new Set(['message', 'voicemail', 'menu']);

/** Where the call went and why, step by step: the words of the engine that decided it. */
export function CallPath({ path, outbound }: { path: Call['path']; outbound: boolean }) {
  return (
    <ol className={css.path}>
      {path.map((step, i) => {
        const Icon = icons[step.node] ?? IconAlertCircle;
        return (
          <li key={i} className={css.step} data-matched={step.matched || undefined}>
            <span className={css.icon}>
              <Icon size={16} aria-hidden />
            </span>
            <div className={css.words}>
              <div className={css.name}>
                {step.node === 'start' && outbound
                  ? t('Call placed')
                  : t(names[step.node] ?? step.node)}
                {targetText(step.target) && !plainSteps.has(step.node) ? (
                  <span className={css.target}> {targetText(step.target)}</span>
                ) : null}
              </div>
              <div className={css.because}>{step.because}</div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const causes: Record<string, [string, Tone]> = {
  hangup: ['Hung up', 'neutral'],
  busy: ['Busy', 'warn'],
  declined: ['Declined', 'warn'],
  noAnswer: ['No answer', 'warn'],
  cancelled: ['Answered elsewhere or canceled', 'neutral'],
  failed: ['Failed', 'danger'],
  rejected: ['Rejected', 'danger'],
};
/** Everyone whose phone took part: how long it rang, how long they talked, how it ended. */
export function CallLegs({ legs }: { legs: Call['legs'] }) {
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Phones on this call')}>
      <table className={css.legs}>
        <thead>
          <tr>
            <th>{t('Phone')}</th>
            <th>{t('Rang')}</th>
            <th>{t('Talked')}</th>
            <th>{t('Ended')}</th>
          </tr>
        </thead>
        <tbody>
          {legs.map((leg) => {
            const [word, tone] = leg.ended_at
              ? (causes[leg.cause ?? ''] ?? ['Ended', 'neutral'])
              : [
                  leg.answered_at ? 'Talking' : leg.role === 'caller' ? 'Waiting' : 'Ringing',
                  'info' as Tone,
                ];
            return (
              <tr key={leg.id}>
                <td>
                  <div>{targetText(leg.label)}</div>
                  {leg.target && leg.target.startsWith('+') && leg.target !== leg.label && (
                    <div className={css.because}>{formatPhoneNumber(leg.target)}</div>
                  )}
                </td>
                <td>{leg.role === 'caller' ? '–' : formatDuration(leg.ring_seconds)}</td>
                <td>{leg.answered_at ? formatDuration(leg.talk_seconds) : '–'}</td>
                <td>
                  <StatusBadge tone={tone}>{t(word)}</StatusBadge>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The call's history with people's later edits. */
export function CallHistory({ history }: { history: Call['history'] }) {
  return (
    <ol className={css.history}>
      {history.map((h, i) => (
        <li key={i}>
          <Time at={h.at} as="time" />
          <span>
            <strong>{h.label}</strong>
            {targetText(h.target) ? ` · ${targetText(h.target)}` : ''}
            {h.detail ? ` · ${h.detail}` : ''}
            {h.actor ? ` · ${h.actor}` : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}

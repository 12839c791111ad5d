import { useId, useState } from 'react';
import {
  IconAlertCircle,
  IconArrowsSplit2,
  IconBell,
  IconChevronRight,
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
import { formatDuration, StatusBadge, t, Time, type Tone } from '#ui';
import { pathTargetText, summarizePath } from './summarize-path.ts';
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
  connect: 'Answered',
  voicemail: 'Voicemail',
  message: 'Message',
  end: 'End',
};
/** These nodes already name their target. */
const nodesWithoutTarget = new Set(['message', 'voicemail', 'menu']);

/** The call path in one line; pressed, it opens to every step with the engine's reason for it. */
export function CallPathLine({ call }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const summary = summarizePath(call);
  return (
    <section className={css.pathCard}>
      <h2 className={css.pathHead}>
        <button
          type="button"
          className={css.pathLine}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} aria-hidden className={css.chevron} />
          <span className={css.pathTitle}>{t('Call path')}</span>
          <span className={css.summary}>{summary.join(' → ')}</span>
        </button>
      </h2>
      <div id={listId} hidden={!isOpen} className={css.pathSteps}>
        {isOpen && <CallPathSteps path={call.path} isOutbound={call.outbound === 1} />}
      </div>
    </section>
  );
}

function CallPathSteps({ path, isOutbound }: { path: Call['path']; isOutbound: boolean }) {
  return (
    <ol className={css.path} aria-label={t('Call path')}>
      {path.map((step, i) => {
        const Icon = icons[step.node] ?? IconAlertCircle;
        const target = nodesWithoutTarget.has(step.node) ? null : pathTargetText(step.target);
        const isOutboundStart = step.node === 'start' && isOutbound;
        return (
          <li key={i} className={css.step} data-matched={step.matched || undefined}>
            <span className={css.icon}>
              <Icon size={16} aria-hidden />
            </span>
            <div className={css.words}>
              <div className={css.name}>
                {isOutboundStart ? t('Call placed') : t(names[step.node] ?? step.node)}
                {target !== null && <span className={css.target}> {target}</span>}
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
/** What a phone on the call is doing, or how its part of the call ended. */
function legStatus(leg: Call['legs'][number]): [string, Tone] {
  if (leg.ended_at) return causes[leg.cause ?? ''] ?? ['Ended', 'neutral'];
  if (leg.answered_at) return ['Talking', 'info'];
  return [leg.role === 'caller' ? 'Waiting' : 'Ringing', 'info'];
}

/** Every phone that took part: how long it rang, how long it talked, how it ended. */
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
            const [status, tone] = legStatus(leg);
            const showsNumber = leg.target?.startsWith('+') && leg.target !== leg.label;
            return (
              <tr key={leg.id}>
                <td>
                  <div>{pathTargetText(leg.label)}</div>
                  {showsNumber && <div className={css.because}>{pathTargetText(leg.target)}</div>}
                </td>
                <td>{leg.role === 'caller' ? '–' : formatDuration(leg.ring_seconds)}</td>
                <td>{leg.answered_at ? formatDuration(leg.talk_seconds) : '–'}</td>
                <td>
                  <StatusBadge tone={tone}>{t(status)}</StatusBadge>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The call's history, including later edits. */
export function CallHistory({ history }: { history: Call['history'] }) {
  return (
    <ol className={css.history}>
      {history.map((h, i) => (
        <li key={i}>
          <Time at={h.at} as="time" />
          <span>
            <strong>{h.label}</strong>
            {pathTargetText(h.target) ? ` · ${pathTargetText(h.target)}` : ''}
            {h.detail ? ` · ${h.detail}` : ''}
            {h.actor ? ` · ${h.actor}` : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}

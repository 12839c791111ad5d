import type { Line } from '#ui/phone/media-client.ts';
import { t } from '#ui';
import type { CallActivity, Caption } from './sandbox.ts';

/** What the caller heard, in one line. */
export function captionText(h: Caption): string {
  switch (h.kind) {
    case 'say':
      return t('“{words}”', { words: h.what });
    case 'play':
      return /\s/.test(h.what) ? t('“{words}”', { words: h.what }) : t('A recorded greeting');
    case 'ring':
      return t('Ringing');
    case 'hold':
      return t('Hold music');
    case 'bridge':
      return t('Connected: both sides can hear each other');
    case 'beep':
      return t('Beep');
  }
}

/** What the call is doing; null while the two talk, when the duration is shown instead. */
export function activityLabel(doing: CallActivity): string | null {
  const labels: Record<CallActivity, string | null> = {
    calling: t('Calling'),
    greeting: t('Listening to a greeting'),
    menu: t('In menu'),
    ringing: t('Ringing'),
    hold: t('On hold'),
    voicemail: t('Leaving a voicemail'),
    waiting: t('Connecting'),
    talking: null,
    ended: t('Call ended'),
  };
  return labels[doing];
}

/** Why the call ended, from this phone's point of view. */
export function endReasonLabel(
  because: string,
  line: Pick<Line, 'answeredAt' | 'direction'>,
): string {
  const labels: Record<string, string> = {
    hangup: line.answeredAt ? t('Hung up') : t('Canceled'),
    answeredElsewhere: t('Answered elsewhere'),
    timeout: t('No answer'),
    noAnswer: t('No answer'),
    callerLeft: t('Caller hung up'),
    busy: t('Busy'),
    declined: t('Declined'),
    rejected: t('Rejected'),
    failed: t('The call failed'),
    unreachable: t('Not reachable'),
    connectionLost: t('The connection was lost'),
    emergency: t('Emergency calls can’t be placed here'),
  };
  return labels[because] ?? t('Call ended');
}

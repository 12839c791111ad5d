import { scheduleLimits } from '#contract/conversations/rules';
import { apiErrorText } from '#contract/errors';
import { t } from '#ui';

/** The server's error texts (A10): one minute to one year ahead. */
export function scheduleTimeError(at: Date | null, now: Date): string | null {
  if (!at) return t('Choose a time.');
  const ahead = (at.getTime() - now.getTime()) / 1000;
  return ahead < scheduleLimits.soonest
    ? apiErrorText('message.too_soon')
    : ahead > scheduleLimits.latest
      ? apiErrorText('message.too_late')
      : null;
}

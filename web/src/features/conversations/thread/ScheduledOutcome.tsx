import { apiErrors, apiErrorText, type ApiErrorCode } from '#contract/errors';
import { t } from '#ui';
import type { ItemOf } from '../cache-updates.ts';

/**
 * The result of a scheduled message that is no longer pending. `because`: replied, canceled,
 * deleted, or the error code from when it was due.
 */
export function ScheduledOutcome({
  details: { state, because, content },
}: {
  details: ItemOf<'scheduledmessage'>['details'];
}) {
  const text = content ? t('“{text}”', { text: content }) : '';
  const outcome =
    because === 'replied'
      ? t('Scheduled message canceled because they replied')
      : state !== 'failed'
        ? t('Scheduled message canceled')
        : t('Scheduled message not sent. {why}', {
            why:
              because && because in apiErrors
                ? apiErrorText(because as ApiErrorCode)
                : t('The carrier rejected it.'),
          });
  return [outcome, text].filter(Boolean).join(' · ');
}

import { apiErrors, apiErrorText, type ApiErrorCode } from '#contract/errors';
import { t } from '#ui';
import type { ItemOf } from '../cache-updates.ts';

/** What became of a scheduled message that is not pending. `because`: replied, canceled, deleted, or the code of the refusal that met it when its time came. */
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

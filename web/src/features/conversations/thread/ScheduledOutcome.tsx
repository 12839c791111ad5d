import { refusals, refusalText, type RefusalCode } from '#contract/refusals';
import { t } from '#ui';
import type { ItemOf } from '../cache-updates.ts';

/** What became of a scheduled message that is not pending. `because`: replied, canceled, deleted, or the code of the refusal that met it when its time came. */
export function ScheduledOutcome({
  details: { state, because, content },
}: {
  details: ItemOf<'scheduledmessage'>['details'];
}) {
  const what = content
    ? t('The scheduled message “{text}”', { text: content })
    : t('A scheduled message');
  if (because === 'replied') return t('{what} was cancelled because they replied', { what });
  if (state !== 'failed') return t('{what} was cancelled', { what });
  return t('{what} was not sent. {why}', {
    what,
    why:
      because && because in refusals
        ? t(refusalText(because as RefusalCode))
        : t('The carrier refused it.'),
  });
}

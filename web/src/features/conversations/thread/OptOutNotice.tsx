import { Button } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { conversations } from '#contract';
import { formatDateTime, showUndoToast, t, useApiMutation, usePermission } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import css from './OptOutNotice.module.css';

/**
 * Asks whether a text of this person was an opt-out. Campaigns and automatic texts leave the person
 * out until someone decides.
 */
export function OptOutNotice({ conversation }: { conversation: Conversation }) {
  const mayDecide = usePermission('inbox.send');
  const { mutate, isPending: loading } = useApiMutation(conversations.decidePossibleOptOut);
  const decide = async (decision: 'opt_out' | 'keep'): Promise<void> => {
    const send = (to: 'opt_out' | 'keep' | 'undecided') =>
      mutate({ params: { id: conversation.id }, body: { decision: to } });
    if ((await send(decision)) === null) return;
    showUndoToast(
      decision === 'opt_out' ? t('Opted out of texts') : t('Kept: not an opt-out'),
      () => void send('undecided'),
    );
  };
  const at = conversation.possibleOptOut?.at;
  if (!at) return null;
  return (
    <section className={css.notice} aria-label={t('Possible opt-out')} data-testid="opt-out-notice">
      <span className={css.icon} aria-hidden>
        <IconMessageQuestion size={18} stroke={1.75} />
      </span>
      <div className={css.words}>
        <p className={css.sentence}>{t('This may be an opt-out')}</p>
        <p className={css.next}>
          {t('Their text of {time}. Campaigns and automatic texts wait for your decision.', {
            time: formatDateTime(at),
          })}
        </p>
      </div>
      {mayDecide && (
        <div className={css.acts}>
          <Button
            size="compact-md"
            variant="default"
            disabled={loading}
            onClick={() => void decide('keep')}
          >
            {t('Not an opt-out')}
          </Button>
          <Button size="compact-md" disabled={loading} onClick={() => void decide('opt_out')}>
            {t('Opt out')}
          </Button>
        </div>
      )}
    </section>
  );
}

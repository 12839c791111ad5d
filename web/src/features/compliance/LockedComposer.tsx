import { Button } from '@mantine/core';
import { IconBan, IconLock, IconMessageOff } from '@tabler/icons-react';
import type { TextBlockReason } from '#contract/compliance/rules';
import { t } from '#ui';
import { textBlockMessage } from './text-block-message.ts';
import { useBlockCaller } from './use-block-caller.ts';
import css from './LockedComposer.module.css';

interface LockedProps {
  reason: TextBlockReason;
  recipient: string;
  /** How requests name the recipient (`partyFor`). */
  party: string;
  ourNumber: string;
  onNote?: () => void;
  /** Present when our number is a fax number: opens the fax form. */ onFax?: () => void;
}

/** Replaces the message composer when texting isn't allowed: the reason, and what to do instead. */
export function LockedComposer({
  reason,
  recipient,
  party,
  ourNumber,
  onNote,
  onFax,
}: LockedProps) {
  const { sentence, next } = textBlockMessage(reason, { recipient, ourNumber });
  const blocking = useBlockCaller(recipient, party);
  const Icon =
    reason === 'blocked' ? IconBan : reason === 'contact_opted_out' ? IconMessageOff : IconLock;
  return (
    <div
      className={css.locked}
      role="note"
      aria-label={t('Texting is locked')}
      data-testid="locked-composer"
    >
      <span className={css.icon} aria-hidden>
        <Icon size={18} stroke={1.75} />
      </span>
      <div className={css.words}>
        <p className={css.sentence}>{sentence}</p>
        <p className={css.next}>
          {onFax ? t('This is a fax number. Send a document instead.') : next}
        </p>
      </div>
      <div className={css.acts}>
        {reason === 'blocked' && blocking.may && (
          <Button
            size="compact-md"
            variant="default"
            loading={blocking.working}
            onClick={() => void blocking.unblock()}
          >
            {t('Unblock')}
          </Button>
        )}
        {onFax && (
          <Button size="compact-md" onClick={onFax}>
            {t('Send a fax')}
          </Button>
        )}
        {onNote && (
          <Button size="compact-md" variant="subtle" color="gray" onClick={onNote}>
            {t('Add note')}
          </Button>
        )}
      </div>
    </div>
  );
}

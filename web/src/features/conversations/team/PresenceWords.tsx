import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconEye } from '@tabler/icons-react';
import type { PresentUser } from '#contract/conversations/team/schemas';
import { t } from '#ui';
import css from './PresenceLine.module.css';

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

export interface PresenceProps {
  others: readonly PresentUser[];
  isWriting: boolean;
  /** The teammate who replied while the user was writing. */
  answered: string | null;
  onSeen: () => void;
}

/** What `PresenceBar` says about teammates. */
export function PresenceWords({ others, isWriting, answered, onSeen }: PresenceProps) {
  const replying = others.filter((o) => o.state === 'replying').map((o) => o.name);
  const viewing = others.filter((o) => o.state === 'viewing').map((o) => o.name);
  return (
    <>
      {answered ? (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          <span>
            {t('{name} replied while you were writing. Check before you send.', { name: answered })}
          </span>
          <CloseButton
            size={22}
            className={css.seen ?? ''}
            aria-label={t('Got it')}
            onClick={onSeen}
          />
        </>
      ) : replying.length > 0 ? (
        <>
          {isWriting ? <IconAlertTriangle size={14} aria-hidden /> : <TypingDots />}
          <span>{replyingText(replying, isWriting)}</span>
        </>
      ) : viewing.length > 0 ? (
        <>
          <IconEye size={14} aria-hidden />
          <span>{viewingText(viewing)}</span>
        </>
      ) : null}
    </>
  );
}

const TypingDots = () => (
  <span className={css.dots} aria-hidden>
    <i />
    <i />
    <i />
  </span>
);

function replyingText(people: readonly string[], isWriting: boolean): string {
  const names = list(people);
  if (people.length > 1)
    return isWriting
      ? t('{names} are replying too', { names })
      : t('{names} are replying', { names });
  return isWriting ? t('{names} is replying too', { names }) : t('{names} is replying', { names });
}

function viewingText(people: readonly string[]): string {
  const names = list(people);
  return people.length > 1
    ? t('{names} are here too', { names })
    : t('{names} is here too', { names });
}

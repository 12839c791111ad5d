import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconEye } from '@tabler/icons-react';
import type { PresentUser } from '#contract/conversations/teamwork/schemas';
import { t } from '#ui';
import css from './PresenceLine.module.css';

const list = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/**
 * Which teammates have the conversation open. Warns when two people write, or when a teammate has
 * replied meanwhile.
 */
export function PresenceBar({
  others,
  isWriting,
  answered,
  onSeen,
}: {
  others: readonly PresentUser[];
  isWriting: boolean;
  /** The teammate who replied while the user was writing. */ answered: string | null;
  onSeen: () => void;
}) {
  const writing = others.filter((o) => o.state === 'replying').map((o) => o.name);
  const looking = others.filter((o) => o.state === 'viewing').map((o) => o.name);
  const names = list(writing.length ? writing : looking);
  const several = (writing.length || looking.length) > 1;
  const clash = answered ?? (writing.length > 0 && isWriting ? names : null);
  return (
    <p className={css.line} role="status" data-clash={clash ? true : undefined}>
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
      ) : writing.length > 0 ? (
        <>
          {clash ? (
            <IconAlertTriangle size={14} aria-hidden />
          ) : (
            <span className={css.dots} aria-hidden>
              <i />
              <i />
              <i />
            </span>
          )}
          <span>
            {isWriting
              ? several
                ? t('{names} are replying too', { names })
                : t('{names} is replying too', { names })
              : several
                ? t('{names} are replying', { names })
                : t('{names} is replying', { names })}
          </span>
        </>
      ) : looking.length > 0 ? (
        <>
          <IconEye size={14} aria-hidden />
          <span>
            {several ? t('{names} are here too', { names }) : t('{names} is here too', { names })}
          </span>
        </>
      ) : null}
    </p>
  );
}

import { lazyComponent } from '#ui';
import type { PresenceProps } from './PresenceWords.tsx';
import css from './PresenceLine.module.css';

const PresenceWords = lazyComponent(
  async () => (await import('./PresenceWords.tsx')).PresenceWords,
);

/**
 * Which teammates have the conversation open. Warns when two people write, or when a teammate has
 * replied meanwhile.
 */
export function PresenceBar(props: PresenceProps) {
  const { others, isWriting, answered } = props;
  const clash = answered !== null || (isWriting && others.some((o) => o.state === 'replying'));
  return (
    <p className={css.line} role="status" data-clash={clash || undefined}>
      {(others.length > 0 || answered !== null) && <PresenceWords {...props} />}
    </p>
  );
}

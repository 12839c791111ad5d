import {
  IconAlertTriangle,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelpCircle,
  IconWifiOff,
} from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { formatTime, t, useUser } from '#ui';
import { AutomaticTag } from './AutomaticTag.tsx';
import type { ItemOf } from '../cache-updates.ts';
import { Attachments } from './Attachments.tsx';
import { sender } from '../composer/sending.ts';
import { deliveryLabel } from '../labels.ts';
import css from './MessageBubble.module.css';

/** A text message. The last bubble of a group shows time, sender and delivery state. */
export function MessageBubble({
  item,
  first,
  last,
  again: refetch,
}: {
  item: ItemOf<'message'>;
  first: boolean;
  last: boolean;
  again: () => void;
}) {
  const { details, isInbound } = item;
  const { label: word, problem: trouble, carrierWords } = deliveryLabel(details);
  const unsent = item.id < 0 && details.deliveryState === 'failed' ? details.clientKey : null;
  const me = useUser();
  const waiting = details.deliveryState === 'sending' || details.deliveryState === 'queued';
  const by = !isInbound && item.actor && item.actor.userId !== me?.id ? item.actor.name : null;
  return (
    <div className={css.group} data-in={isInbound || undefined}>
      {details.media.length > 0 && <Attachments media={details.media} again={refetch} />}
      {details.content && (
        <div
          className={css.bubble}
          data-in={isInbound || undefined}
          data-first={first || undefined}
          data-last={last || undefined}
          data-waiting={details.deliveryState === 'sending' || undefined}
        >
          {linkify(details.content)}
        </div>
      )}
      {details.automatic && <AutomaticTag kind={details.automatic} />}
      {unsent ? (
        <div className={css.unsent} role="status">
          <IconWifiOff size={14} aria-hidden />
          <span>{t('You’re offline. Your message is saved.')}</span>
          <span>
            <Button size="compact-xs" variant="default" onClick={() => void sender.retry(unsent)}>
              {t('Retry')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => sender.takeBack(unsent)}
            >
              {t('Edit')}
            </Button>
          </span>
        </div>
      ) : trouble ? (
        <p className={css.trouble}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>
            <strong>{word}.</strong> {trouble}
            {carrierWords && <small>{carrierWords}</small>}
          </span>
        </p>
      ) : (
        (last || waiting) && (
          <p className={css.meta}>
            <time dateTime={item.createdAt}>{formatTime(item.createdAt)}</time>
            {by && <span>{by}</span>}
            {!isInbound && word && (
              <span className={css.state} data-state={details.deliveryState}>
                <StateIcon state={details.deliveryState} />
                {word}
              </span>
            )}
          </p>
        )
      )}
    </div>
  );
}

function StateIcon({ state }: { state: string }) {
  const props = { size: 14, 'aria-hidden': true } as const;
  if (state === 'delivered') return <IconChecks {...props} />;
  if (state === 'sent') return <IconCheck {...props} />;
  return state === 'unknown' ? <IconHelpCircle {...props} /> : <IconClock {...props} />;
}

/** Turns URLs in a text into links. */
function linkify(text: string): React.ReactNode {
  return text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/g).map((part, i) =>
    i % 2 ? (
      <a
        key={i}
        href={part}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={t('{address}, opens in a new tab', { address: part })}
      >
        {part}
      </a>
    ) : (
      part
    ),
  );
}

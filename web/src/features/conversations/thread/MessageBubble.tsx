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
import { Attachments } from '#ui/messaging/Attachments.tsx';
import { linkify } from '#ui/messaging/linkify.tsx';
import { sender } from '../composer/sending.ts';
import { deliveryLabel } from '#ui/messaging/labels.ts';
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
  const { label, problem, carrierWords } = deliveryLabel(details);
  const unsent = item.id < 0 && details.deliveryState === 'failed' ? details.clientKey : null;
  const isWaiting = details.deliveryState === 'sending' || details.deliveryState === 'queued';
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
        <Unsent clientKey={unsent} />
      ) : problem ? (
        <p className={css.trouble}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>
            <strong>{label}.</strong> {problem}
            {carrierWords && <small>{carrierWords}</small>}
          </span>
        </p>
      ) : (
        (last || isWaiting) && <MessageFacts item={item} />
      )}
    </div>
  );
}

/** A message that couldn't be sent, with what can be done about it. */
function Unsent({ clientKey }: { clientKey: string }) {
  return (
    <div className={css.unsent} role="status">
      <IconWifiOff size={14} aria-hidden />
      <span>{t('You’re offline. Your message is saved.')}</span>
      <span>
        <Button size="compact-xs" variant="default" onClick={() => void sender.retry(clientKey)}>
          {t('Retry')}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => sender.takeBack(clientKey)}
        >
          {t('Edit')}
        </Button>
      </span>
    </div>
  );
}

/** Time, sender and delivery state. */
function MessageFacts({ item }: { item: ItemOf<'message'> }) {
  const { actor, createdAt, details, isInbound } = item;
  const me = useUser();
  const { label } = deliveryLabel(details);
  return (
    <p className={css.meta}>
      <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      {!isInbound && actor && actor.userId !== me?.id && <span>{actor.name}</span>}
      {!isInbound && label && (
        <span className={css.state} data-state={details.deliveryState}>
          <StateIcon state={details.deliveryState} />
          {label}
        </span>
      )}
    </p>
  );
}

function StateIcon({ state }: { state: string }) {
  const props = { size: 14, 'aria-hidden': true } as const;
  if (state === 'delivered') return <IconChecks {...props} />;
  if (state === 'sent') return <IconCheck {...props} />;
  return state === 'unknown' ? <IconHelpCircle {...props} /> : <IconClock {...props} />;
}

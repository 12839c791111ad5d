import {
  IconAlertTriangle,
  IconBan,
  IconClockHour4,
  IconFileText,
  IconForms,
  IconMessage,
  IconMessageForward,
  IconNote,
  IconPhoneIncoming,
  IconPhoneOutgoing,
  IconPhoneX,
  IconRecordMail,
  IconTargetArrow,
} from '@tabler/icons-react';
import type { Conversation, Item } from './cache-updates.ts';
import { isUndelivered } from '#ui/messaging/labels.ts';

/** The icon of a kind of item. Decorative: the text beside it names the kind. */
export function KindIcon({
  kind,
  isInbound,
  outcome,
  size = 16,
}: {
  kind: Item['kind'];
  isInbound: boolean;
  outcome?: number | undefined;
  size?: number;
}) {
  const props = { size, stroke: 1.75, 'aria-hidden': true } as const;
  switch (kind) {
    case 'message':
      return isInbound ? <IconMessage {...props} /> : <IconMessageForward {...props} />;
    case 'call':
      return outcome === 2 || outcome === 4 ? (
        <IconPhoneX {...props} />
      ) : isInbound ? (
        <IconPhoneIncoming {...props} />
      ) : (
        <IconPhoneOutgoing {...props} />
      );
    case 'voicemail':
      return <IconRecordMail {...props} />;
    case 'fax':
      return <IconFileText {...props} />;
    case 'note':
      return <IconNote {...props} />;
    case 'block':
      return <IconBan {...props} />;
    case 'scheduledmessage':
      return <IconClockHour4 {...props} />;
    case 'form':
      return <IconForms {...props} />;
    case 'trackingmatch':
      return <IconTargetArrow {...props} />;
  }
}
export const LatestIcon = ({
  latest,
  size = 14,
}: {
  latest: NonNullable<Conversation['latestItem']>;
  size?: number;
}) =>
  isUndelivered(latest) ? (
    <IconAlertTriangle size={size} stroke={1.75} aria-hidden />
  ) : (
    <KindIcon
      kind={latest.type}
      isInbound={latest.isInbound}
      outcome={latest.details['outcome'] as number | undefined}
      size={size}
    />
  );

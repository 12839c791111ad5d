import { IconBan, IconMessageOff } from '@tabler/icons-react';
import { StatusBadge, t } from '#ui';

/** Badges of a contact who is blocked or opted out. */
export function StateBadges({
  isBlocked,
  isOptedOut,
}: {
  isBlocked: boolean;
  isOptedOut: boolean;
}) {
  return (
    <>
      {isBlocked && (
        <StatusBadge tone="danger" icon={<IconBan size={13} aria-hidden />}>
          {t('Blocked')}
        </StatusBadge>
      )}
      {isOptedOut && (
        <StatusBadge tone="warn" icon={<IconMessageOff size={13} aria-hidden />}>
          {t('Opted out')}
        </StatusBadge>
      )}
    </>
  );
}

import { IconBan, IconMessageOff } from '@tabler/icons-react';
import { StatusBadge, t } from '#ui';

/** Blocked and opted out, wherever a person is shown. */
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

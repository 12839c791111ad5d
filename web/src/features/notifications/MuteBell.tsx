import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { t } from '#ui';
import { allChannels, isFullyMuted, useMuteRules } from './mute-rules.ts';

/** Mutes or unmutes a number for the signed-in user. */
export function MuteBell({ numberId, label }: { numberId: number; label: string }) {
  const { blocks, working, set } = useMuteRules();
  const silent = isFullyMuted(blocks, numberId);
  const words = silent
    ? t('Unmute {number}', { number: label })
    : t('Mute {number} for me', { number: label });
  return (
    <Tooltip label={words}>
      <ActionIcon
        size={26}
        aria-label={words}
        disabled={working}
        onClick={() => void set([numberId], allChannels, !silent)}
      >
        {silent ? <IconBellOff size={15} /> : <IconBell size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

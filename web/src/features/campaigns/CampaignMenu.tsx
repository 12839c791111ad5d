import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBan,
  IconChecks,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconReportAnalytics,
  IconTrash,
} from '@tabler/icons-react';
import { go, t } from '#ui';
import type { Campaign, useCampaignActs } from './use-campaign-acts.ts';
import { pauseVerb } from './words.ts';

/** Everything one may do to a campaign of a list. */
export function CampaignMenu({
  campaign: c,
  acts,
  onResume,
  done,
}: {
  campaign: Campaign;
  acts: ReturnType<typeof useCampaignActs>;
  onResume: () => void;
  done?: () => void;
}) {
  const may = acts.is(c);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('More for {title}', { title: c.title })}
          onClick={(e) => {
            e.preventDefault();
            e.stopPropagation();
          }}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(e) => e.stopPropagation()}>
        {c.started && (
          <Menu.Item
            leftSection={<IconReportAnalytics size={16} aria-hidden />}
            onClick={() => go(`/campaigns/${c.id}/events`)}
          >
            {t('Results')}
          </Menu.Item>
        )}
        {may.edit && (
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => go(`/campaigns/${c.id}/edit`)}
          >
            {t('Edit')}
          </Menu.Item>
        )}
        {may.approve && (
          <Menu.Item
            leftSection={<IconChecks size={16} aria-hidden />}
            onClick={() => void acts.approve(c)}
          >
            {t('Approve')}
          </Menu.Item>
        )}
        {may.pause && (
          <Menu.Item
            leftSection={<IconPlayerPause size={16} aria-hidden />}
            onClick={() => void acts.pause(c)}
          >
            {pauseVerb(c)}
          </Menu.Item>
        )}
        {may.resume && (
          <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={onResume}>
            {t('Resume')}
          </Menu.Item>
        )}
        {may.copy && (
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void acts.copy(c)}
          >
            {t('Duplicate')}
          </Menu.Item>
        )}
        {may.cancel && (
          <Menu.Item
            color="red"
            leftSection={<IconBan size={16} aria-hidden />}
            onClick={() => void acts.cancel(c)}
          >
            {t('Cancel')}
          </Menu.Item>
        )}
        {may.drop && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => void acts.drop(c, done)}
          >
            {t('Delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

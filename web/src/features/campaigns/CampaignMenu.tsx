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
import { navigate, t } from '#ui';
import type { Campaign, useCampaignActions } from './use-campaign-actions.ts';
import { pauseLabel } from './labels.ts';

/** The actions on a campaign in the list. */
export function CampaignMenu({
  campaign: c,
  acts: actions,
  onResume,
  done,
}: {
  campaign: Campaign;
  acts: ReturnType<typeof useCampaignActions>;
  onResume: () => void;
  done?: () => void;
}) {
  const may = actions.is(c);
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
            onClick={() => navigate(`/campaigns/${c.id}/events`)}
          >
            {t('Results')}
          </Menu.Item>
        )}
        {may.edit && (
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => navigate(`/campaigns/${c.id}/edit`)}
          >
            {t('Edit')}
          </Menu.Item>
        )}
        {may.approve && (
          <Menu.Item
            leftSection={<IconChecks size={16} aria-hidden />}
            onClick={() => void actions.approve(c)}
          >
            {t('Approve')}
          </Menu.Item>
        )}
        {may.pause && (
          <Menu.Item
            leftSection={<IconPlayerPause size={16} aria-hidden />}
            onClick={() => void actions.pause(c)}
          >
            {pauseLabel(c)}
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
            onClick={() => void actions.copy(c)}
          >
            {t('Duplicate')}
          </Menu.Item>
        )}
        {may.cancel && (
          <Menu.Item
            color="red"
            leftSection={<IconBan size={16} aria-hidden />}
            onClick={() => void actions.cancel(c)}
          >
            {t('Cancel')}
          </Menu.Item>
        )}
        {may.remove && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => void actions.drop(c, done)}
          >
            {t('Delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

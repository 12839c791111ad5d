import { Menu } from '@mantine/core';
import {
  IconBan,
  IconChecks,
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconReportAnalytics,
  IconTrash,
} from '@tabler/icons-react';
import { navigate, t } from '#ui';
import { RowMenu } from '../../shared/RowMenu.tsx';
import type { Campaign, useCampaignActions } from './use-campaign-actions.ts';
import { pauseLabel } from './labels.ts';

type Actions = ReturnType<typeof useCampaignActions>;

interface CampaignMenuProps {
  campaign: Campaign;
  acts: Actions;
  onResume: () => void;
  done?: () => void;
}

/** The actions on a campaign in the list. */
export function CampaignMenu(props: CampaignMenuProps) {
  return (
    <RowMenu name={props.campaign.title}>
      {menuItems(props).map(
        ({ isOffered, label, icon: Icon, run, danger }) =>
          isOffered && (
            <Menu.Item
              key={label}
              {...(danger && { color: 'red' })}
              leftSection={<Icon size={16} aria-hidden />}
              onClick={run}
            >
              {label}
            </Menu.Item>
          ),
      )}
    </RowMenu>
  );
}

interface MenuItem {
  isOffered: boolean;
  label: string;
  icon: typeof IconBan;
  run: () => void;
  danger?: true;
}

function menuItems({ campaign: c, acts: actions, onResume, done }: CampaignMenuProps): MenuItem[] {
  const may = actions.is(c);
  const open = (page: string) => () => navigate(`/campaigns/${c.id}/${page}`);
  return [
    { isOffered: c.started, label: t('Results'), icon: IconReportAnalytics, run: open('events') },
    { isOffered: may.edit, label: t('Edit'), icon: IconPencil, run: open('edit') },
    {
      isOffered: may.approve,
      label: t('Approve'),
      icon: IconChecks,
      run: () => void actions.approve(c),
    },
    {
      isOffered: may.pause,
      label: pauseLabel(c),
      icon: IconPlayerPause,
      run: () => void actions.pause(c),
    },
    { isOffered: may.resume, label: t('Resume'), icon: IconPlayerPlay, run: onResume },
    { isOffered: may.copy, label: t('Duplicate'), icon: IconCopy, run: () => void actions.copy(c) },
    {
      isOffered: may.cancel,
      label: t('Cancel'),
      icon: IconBan,
      run: () => void actions.cancel(c),
      danger: true,
    },
    {
      isOffered: may.remove,
      label: t('Delete'),
      icon: IconTrash,
      run: () => void actions.drop(c, done),
      danger: true,
    },
  ];
}

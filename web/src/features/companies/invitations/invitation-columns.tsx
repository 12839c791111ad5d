import { Menu } from '@mantine/core';
import { IconSend, IconTrash } from '@tabler/icons-react';
import type { Answer, invitations } from '#contract';
import { formatPhoneNumber, StatusBadge, t, Time, type Column, type Tone } from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { roleLabel } from './invitation-texts.ts';

export type Invitation = Answer<typeof invitations.listInvitations>['data'][number];
interface InvitationActions {
  onResend: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
}

const statuses: Record<Invitation['status'], [tone: Tone, label: () => string]> = {
  pending: ['info', () => t('Pending')],
  accepted: ['success', () => t('Accepted')],
  expired: ['warn', () => t('Expired')],
  revoked: ['neutral', () => t('Withdrawn')],
};
/** The name of a status. */
export const statusLabel = (status: Invitation['status']): string => statuses[status][1]();

/** The columns of the list of invitations. */
export const invitationColumns = (actions: InvitationActions): Column<Invitation>[] => [
  {
    key: 'email',
    title: t('Invited'),
    width: 'minmax(134px, 1.6fr)',
    cell: (i) => `${i.first_name} ${i.last_name}`.trim() || i.email,
  },
  { key: 'role', title: t('Role'), width: '96px', wideOnly: true, cell: roleText },
  {
    key: 'status',
    title: t('Status'),
    width: '118px',
    cell: (i) => (
      <StatusBadge tone={statuses[i.status][0]}>
        {i.revoked_because ? t('Inviter left') : statusLabel(i.status)}
      </StatusBadge>
    ),
  },
  { key: 'numbers', title: t('Numbers'), wideOnly: true, cell: numbersText },
  {
    key: 'sent',
    title: t('Sent'),
    width: '84px',
    wideOnly: true,
    cell: (i) => <Time at={i.sent_at} as="ago" />,
  },
  {
    key: 'expires',
    title: t('Expires'),
    width: '76px',
    wideOnly: true,
    cell: (i) => (i.status === 'pending' ? <Time at={i.expires_at} as="list" /> : '–'),
  },
  {
    key: 'by',
    title: t('Invited by'),
    width: 'minmax(88px, 1fr)',
    wideOnly: true,
    cell: (i) => i.invited_by.name,
  },
  {
    key: 'do',
    title: '',
    width: '40px',
    align: 'end',
    cell: (i) =>
      (i.status === 'pending' || i.status === 'expired') && (
        <InvitationMenu invitation={i} {...actions} />
      ),
  },
];

const roleText = (i: Invitation): string =>
  i.is_org_administrator ? t('Organization administrator') : roleLabel(i.role);
const numbersText = (i: Invitation): string =>
  i.numbers.map((n) => formatPhoneNumber(n.number)).join(', ') || t('All numbers');

function InvitationMenu({
  invitation,
  onResend,
  onRevoke,
}: InvitationActions & { invitation: Invitation }) {
  return (
    <RowMenu name={invitation.email}>
      <Menu.Item
        leftSection={<IconSend size={16} aria-hidden />}
        onClick={() => onResend(invitation)}
      >
        {t('Resend with a new link')}
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => onRevoke(invitation)}
      >
        {t('Withdraw')}
      </Menu.Item>
    </RowMenu>
  );
}

import { useState } from 'react';
import { Select } from '@mantine/core';
import { IconMailPlus } from '@tabler/icons-react';
import { invitations } from '#contract';
import { confirm, DataList, Modal, t, useApiMutation, useCompanyId } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import {
  invitationColumns,
  statusLabel,
  type Invitation,
} from '../invitations/invitation-columns.tsx';
import { InvitationLinks } from '../invitations/InvitationLinks.tsx';
import { InviteButton } from '../invitations/InviteButton.tsx';
import type { InvitationLink } from '../invitations/use-invite-people.ts';

/** Invitations of the company: who was invited, and whether they joined. */
export default function SettingsInvitations() {
  const people = useInvitationList();
  const { filters, set } = people;
  const [link, setLink] = useState<InvitationLink | null>(null);
  const columns = invitationColumns(useInvitationActions(setLink));
  return (
    <SettingsFrame
      title={t('Invitations')}
      layout="fill"
      description={t('People you invited. A link works once, for seven days.')}
      action={<InviteButton />}
      filters={
        <ListFilters list={people} label={t('Search by name or email')}>
          <Select
            aria-label={t('Status')}
            placeholder={t('Any status')}
            w={150}
            clearable
            clearButtonProps={{ 'aria-label': t('Any status') }}
            data={invitations.invitationStatuses.map((s) => ({ value: s, label: statusLabel(s) }))}
            value={filters.status || null}
            onChange={(status) => set({ status: status ?? '' })}
          />
        </ListFilters>
      }
    >
      <DataList
        {...people.list}
        label={t('Invitations')}
        rowKey={(i) => i.id}
        rowLabel={(i) => i.email}
        columns={columns}
        empty={
          <ListEmpty
            list={people}
            icon={IconMailPlus}
            noMatch={t('No invitations match these filters')}
            title={t('No invitations yet')}
            action={<InviteButton />}
          >
            {t('People you invite appear here until they join.')}
          </ListEmpty>
        }
      />
      {link && (
        <Modal
          opened
          onClose={() => setLink(null)}
          title={t('New link')}
          closeButtonProps={{ 'aria-label': t('Close') }}
        >
          <InvitationLinks links={[link]} />
        </Modal>
      )}
    </SettingsFrame>
  );
}

/** The selected company's invitations that match the filters in the URL. */
function useInvitationList() {
  const companyId = useCompanyId();
  return useListScreen(invitations.listInvitations, {
    key: 'invitations',
    perPage: 25,
    filters: { search: '', status: '', page: 1 },
    input: ({ page, search, status }, perPage) => ({
      query: {
        company_id: companyId,
        page,
        perPage,
        search: search || null,
        status: (status || null) as Invitation['status'] | null,
      },
    }),
    silent: true,
  });
}

/** Resends and withdraws. `onLink`: the server can't send mail, so the link is handed over. */
function useInvitationActions(onLink: (link: InvitationLink) => void) {
  const companyId = useCompanyId() ?? 0;
  const invalidates = [invitations.listInvitations];
  const resend = useApiMutation(invitations.resendInvitation, {
    invalidates,
    success: ({ data }) => (data.link ? null : t('Invitation was successfully resent')),
    onSuccess: ({ data }) => {
      if (data.link) onLink({ email: data.email, link: data.link });
    },
  });
  const revoke = useApiMutation(invitations.revokeInvitation, {
    invalidates,
    success: t('Invitation withdrawn'),
  });
  return {
    onResend: ({ id }: Invitation) =>
      void resend.mutate({ params: { companyId, invitationId: id } }),
    onRevoke: async ({ id, email }: Invitation) => {
      const sure = await confirm({
        title: t('Withdraw the invitation to {email}?', { email }),
        body: t('The link they received stops working. You can invite them again.'),
        confirmLabel: t('Withdraw'),
        danger: true,
      });
      if (sure) await revoke.mutate({ params: { companyId, invitationId: id } });
    },
  };
}

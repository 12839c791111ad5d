import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconMailPlus } from '@tabler/icons-react';
import { invitations } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  Modal,
  SearchField,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
} from '#ui';
import { pagedList } from '../../../shared/paged-list.ts';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import {
  invitationColumns,
  statusLabel,
  type Invitation,
} from '../invitations/invitation-columns.tsx';
import { InvitationLinks } from '../invitations/InvitationLinks.tsx';
import { InviteButton } from '../invitations/InviteButton.tsx';
import type { InvitationLink } from '../invitations/use-invite-people.ts';

const defaultFilters = { search: '', status: '', page: 1, sort: '', dir: '' };

/** Invitations of the company: who was invited, and whether they joined. */
export default function SettingsInvitations() {
  const { list, filters, set, clear, isFiltered } = useInvitationList();
  const [link, setLink] = useState<InvitationLink | null>(null);
  const columns = invitationColumns(useInvitationActions(setLink));
  return (
    <SettingsFrame
      title={t('Invitations')}
      layout="fill"
      description={t('People you invited. A link works once, for seven days.')}
      action={<InviteButton />}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label={t('Search by name or email')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
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
        </FilterBar>
      }
    >
      <DataList
        {...list}
        label={t('Invitations')}
        rowKey={(i) => i.id}
        rowLabel={(i) => i.email}
        columns={columns}
        empty={<NoInvitations isFiltered={isFiltered} clear={clear} />}
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
  const filtering = useFilters(defaultFilters);
  const { filters, set } = filtering;
  const pageSize = usePageSize('invitations', 25, () => set({ page: 1 }));
  const query = useApiQuery(
    invitations.listInvitations,
    {
      query: {
        company_id: useCompanyId(),
        page: filters.page,
        perPage: pageSize.perPage,
        search: filters.search || null,
        status: (filters.status || null) as Invitation['status'] | null,
      },
    },
    { silent: true },
  );
  return { ...filtering, list: pagedList(query, filtering, pageSize) };
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

function NoInvitations({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const icon = <IconMailPlus size={28} stroke={1.5} />;
  return isFiltered ? (
    <EmptyState
      icon={icon}
      title={t('No invitations match these filters')}
      action={
        <Button variant="default" onClick={clear}>
          {t('Clear filters')}
        </Button>
      }
    />
  ) : (
    <EmptyState icon={icon} title={t('No invitations yet')} action={<InviteButton />}>
      {t('People you invite appear here until they join.')}
    </EmptyState>
  );
}

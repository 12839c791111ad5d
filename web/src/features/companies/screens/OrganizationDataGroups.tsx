import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconFolders } from '@tabler/icons-react';
import { dataGroups } from '#contract';
import { dataGroupTypes } from '#contract/companies/data-groups/rules';
import { confirm, DataList, Modal, t, Time, useApiMutation, type Column } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { DataGroupDrawer, type DataGroup } from '../data-groups/DataGroupDrawer.tsx';
import { DataGroupForm } from '../data-groups/DataGroupForm.tsx';
import { kindLabels } from '../data-groups/labels.ts';
import { OrganizationPage, type Organization } from '../organization/OrganizationPage.tsx';

/** Companies, numbers, pools, users and tags that the organization reads together. */
export default function OrganizationDataGroups() {
  const [creating, setCreating] = useState(false);
  const add = <Button onClick={() => setCreating(true)}>{t('New data group')}</Button>;
  return (
    <OrganizationPage
      title={t('Data groups')}
      layout="fill"
      description={t('Companies, numbers, pools, users and tags that you look at together.')}
      action={({ accounts }) => accounts.length > 0 && add}
    >
      {(organization) => (
        <Groups
          organization={organization}
          add={add}
          creating={creating}
          close={() => setCreating(false)}
        />
      )}
    </OrganizationPage>
  );
}

/** What a group holds in a line: "2 Companies · 3 Numbers". */
const contentsOf = ({ entities }: DataGroup): string =>
  dataGroupTypes
    .map((type) => ({ type, n: entities.filter((e) => e.type === type).length }))
    .filter(({ n }) => n > 0)
    .map(({ type, n }) => `${kindLabels()[type]}: ${n}`)
    .join(' · ') || t('Nothing yet');

const columns = (remove: (group: DataGroup) => void): Column<DataGroup>[] => [
  { key: 'name', title: t('Name'), width: 'minmax(140px, 1fr)', cell: ({ name }) => name },
  { key: 'contents', title: t('Contents'), width: 'minmax(160px, 1.6fr)', cell: contentsOf },
  {
    key: 'created_at',
    title: t('Created'),
    width: '110px',
    wideOnly: true,
    cell: ({ created_at }) => <Time at={created_at} as="ago" />,
  },
  {
    key: 'do',
    title: '',
    width: '40px',
    align: 'end',
    cell: (group) => (
      <RowMenu name={group.name}>
        <Menu.Item color="red" onClick={() => remove(group)}>
          {t('Delete')}
        </Menu.Item>
      </RowMenu>
    ),
  },
];

function Groups({
  organization,
  add,
  creating,
  close,
}: {
  organization: Organization;
  add: React.ReactNode;
  creating: boolean;
  close: () => void;
}) {
  const companyId = organization.accounts[0]?.id ?? 0;
  const { list, ...filtering } = useGroups(companyId);
  const { filters, set } = filtering;
  const remove = useDeleteGroup(companyId);
  return (
    <>
      <ListFilters list={filtering} label={t('Find a data group')} />
      <DataList
        {...list}
        label={t('Data groups')}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        columns={columns((group) => void remove(group))}
        onOpen={({ id }) => set({ open: String(id) })}
        empty={
          <ListEmpty
            list={filtering}
            icon={IconFolders}
            noMatch={t('No data groups match')}
            title={t('No data groups yet')}
            action={companyId > 0 && add}
          >
            {companyId > 0
              ? t('Make one for a region, a brand or a team, and filter activity by it.')
              : t('Add a company to the organization first.')}
          </ListEmpty>
        }
      />
      <NewGroup
        companyId={companyId}
        opened={creating}
        close={close}
        open={(id) => set({ open: String(id) })}
      />
      {filters.open && (
        <DataGroupDrawer
          key={filters.open}
          id={Number(filters.open)}
          organization={organization}
          close={() => set({ open: '' })}
        />
      )}
    </>
  );
}

/** The data groups that the URL asks for. */
function useGroups(companyId: number) {
  return useListScreen(dataGroups.listDataGroups, {
    key: 'data-groups',
    perPage: 25,
    filters: { search: '', open: '', page: 1 },
    opens: ['open'],
    input: ({ page, search }, perPage) => ({
      query: { company_id: companyId, page, perPage, search: search || null },
    }),
    enabled: companyId > 0,
  });
}

/** Asks for a new group's name; then the group opens, to be filled. */
function NewGroup({
  companyId,
  opened,
  close,
  open,
}: {
  companyId: number;
  opened: boolean;
  close: () => void;
  open: (id: number) => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('New data group')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <DataGroupForm
        group={null}
        companyId={companyId}
        onCancel={close}
        onSaved={(id) => {
          close();
          open(id);
        }}
      />
    </Modal>
  );
}

/** Asks, then deletes a data group. What it holds stays. */
function useDeleteGroup(companyId: number): (group: DataGroup) => Promise<void> {
  const { mutate } = useApiMutation(dataGroups.deleteDataGroup, {
    success: t('Data group deleted'),
    invalidates: [dataGroups.listDataGroups],
  });
  return async ({ id, name }) => {
    const isSure = await confirm({
      title: t('Delete “{name}”?', { name }),
      body: t('Only the group is deleted. Everything in it stays.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await mutate({ params: { id }, query: { company_id: companyId } });
  };
}

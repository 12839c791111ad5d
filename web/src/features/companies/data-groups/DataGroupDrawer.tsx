import { ActionIcon, Skeleton, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { dataGroups, type Answer, type organizations } from '#contract';
import { dataGroupTypes } from '#contract/companies/data-groups/rules';
import { Drawer, ErrorState, Section, t, useApiMutation, useApiQuery } from '#ui';
import { AddItems } from './AddItems.tsx';
import { DataGroupForm } from './DataGroupForm.tsx';
import { kindLabels } from './labels.ts';
import css from './data-groups.module.css';

type Organization = Answer<typeof organizations.getOrganization>['data'];
export type DataGroup = Answer<typeof dataGroups.getDataGroup>['data'];

/** A data group: its name, what it holds, and what can be added. */
export function DataGroupDrawer({
  id,
  organization,
  close,
}: {
  id: number;
  organization: Organization;
  close: () => void;
}) {
  const companyId = organization.accounts[0]?.id ?? 0;
  const { response, error, refetch } = useApiQuery(
    dataGroups.getDataGroup,
    { params: { id }, query: { company_id: companyId } },
    { silent: true },
  );
  const group = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="34rem"
      title={group?.name ?? t('Data group')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !group && <ErrorState error={error} retry={refetch} />}
      {!error && !group && <Skeleton height={240} />}
      {group && (
        <Stack gap="lg">
          <DataGroupForm group={group} companyId={companyId} onSaved={close} onCancel={close} />
          <Section title={t('Items')}>
            <Items group={group} companyId={companyId} />
          </Section>
          <Section title={t('Add items')}>
            <AddItems
              organization={organization}
              groupId={id}
              isIn={(type, one) => group.entities.some((e) => e.type === type && e.id === one)}
            />
          </Section>
        </Stack>
      )}
    </Drawer>
  );
}

/** What a data group holds, by kind, each with a button that takes it out. */
function Items({ group, companyId }: { group: DataGroup; companyId: number }) {
  const { mutate } = useApiMutation(dataGroups.detachFromDataGroup, {
    success: t('Entities detached'),
    invalidates: [dataGroups.listDataGroups, dataGroups.getDataGroup],
  });
  const remove = ({ type, id }: DataGroup['entities'][number]): void => {
    void mutate({
      params: { id: group.id },
      body: { company_id: companyId, entities: [{ type, id }] },
    });
  };
  if (!group.entities.length)
    return (
      <Text c="dimmed">{t('Nothing yet. Add companies, numbers, pools, users or tags.')}</Text>
    );
  return dataGroupTypes.map((type) => {
    const items = group.entities.filter((e) => e.type === type);
    if (!items.length) return null;
    return (
      <div key={type}>
        <h3 className={css.kind}>{kindLabels()[type]}</h3>
        <ul className={css.items}>
          {items.map((item) => (
            <li key={item.id} className={css.item}>
              <span>{item.label}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={t('Remove {name}', { name: item.label })}
                onClick={() => remove(item)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

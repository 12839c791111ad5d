import { useState } from 'react';
import { Button, MultiSelect, Select, Stack } from '@mantine/core';
import { dataGroups, type Answer, type organizations } from '#contract';
import { dataGroupTypes, type DataGroupType } from '#contract/companies/data-groups/rules';
import { t, useApiMutation } from '#ui';
import { kindLabels } from './labels.ts';
import { useChoices } from './use-choices.ts';

type Organization = Answer<typeof organizations.getOrganization>['data'];
/** Numbers, pools and tags belong to one company; so that is chosen first. */
const ofOneCompany: readonly DataGroupType[] = ['number', 'dniPool', 'tag'];

/** Chooses items of one kind and adds them to a data group. */
export function AddItems({
  organization,
  groupId,
  isIn,
}: {
  organization: Organization;
  groupId: number;
  isIn: (type: DataGroupType, id: number) => boolean;
}) {
  const [firstCompany] = organization.accounts;
  const [type, setType] = useState<DataGroupType>('number');
  const [companyId, setCompanyId] = useState(firstCompany?.id ?? 0);
  const [chosen, setChosen] = useState<string[]>([]);
  const choices = useChoices(organization, type, companyId).filter(
    ({ value }) => !isIn(type, Number(value)),
  );
  const { attach, isPending } = useAttach(groupId, firstCompany?.id ?? 0, () => setChosen([]));
  return (
    <Stack gap="sm" align="stretch">
      <Select
        label={t('What to add')}
        allowDeselect={false}
        data={dataGroupTypes.map((value) => ({ value, label: kindLabels()[value] }))}
        value={type}
        onChange={(value) => {
          setType((value ?? 'number') as DataGroupType);
          setChosen([]);
        }}
      />
      {ofOneCompany.includes(type) && (
        <CompanySelect
          organization={organization}
          value={companyId}
          onChange={(id) => {
            setCompanyId(id);
            setChosen([]);
          }}
        />
      )}
      <MultiSelect
        label={kindLabels()[type]}
        placeholder={chosen.length ? undefined : t('Choose')}
        nothingFoundMessage={t('Nothing more to add')}
        searchable
        hidePickedOptions
        data={choices}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        variant="default"
        disabled={!chosen.length}
        loading={isPending}
        onClick={() => attach(chosen.map((id) => ({ type, id: Number(id) })))}
      >
        {t('Add')}
      </Button>
    </Stack>
  );
}

/** Adds entities to the group; `done` runs when they are in it. */
function useAttach(groupId: number, companyId: number, done: () => void) {
  const { mutate, isPending } = useApiMutation(dataGroups.attachToDataGroup, {
    success: t('Entities attached'),
    invalidates: [dataGroups.listDataGroups, dataGroups.getDataGroup],
    onSuccess: done,
  });
  return {
    isPending,
    attach: (entities: { type: DataGroupType; id: number }[]): void =>
      void mutate({ params: { id: groupId }, body: { company_id: companyId, entities } }),
  };
}

function CompanySelect({
  organization,
  value,
  onChange,
}: {
  organization: Organization;
  value: number;
  onChange: (id: number) => void;
}) {
  return (
    <Select
      label={t('Company')}
      allowDeselect={false}
      searchable
      data={organization.accounts.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(value)}
      onChange={(id) => onChange(Number(id))}
    />
  );
}

import { useState } from 'react';
import { Button, Skeleton, Stack } from '@mantine/core';
import { companies, type Answer } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  confirmTyped,
  ErrorState,
  toast,
  navigate,
  Section,
  selectCompany,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { CustomFields, useFields } from '../../fields/index.ts';
import { TransferNotice, TransferOwnership } from '../OwnershipTransfer.tsx';
import { LeaveOrganization, StartOrganization } from './settings/LeaveOrganization.tsx';
import { CompanyProfile } from './settings/CompanyProfile.tsx';

type Company = Answer<typeof companies.getCompany>['data'];

/** The company's profile, custom fields and deletion. */
export default function SettingsCompany() {
  const companyId = useCompanyId();
  const mayAccept = usePermission('users.edit');
  const { response, error, refetch } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null, refetchOnMount: true },
  );
  return (
    <SettingsFrame title={t('Company')} layout="read">
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={36} />
          ))}
        </Stack>
      )}
      {response && (
        <>
          {mayAccept && <TransferNotice />}
          <CompanyProfile key={response.data.id} company={response.data} />
          <CompanyFields company={response.data} />
          {mayAccept && <TransferOwnership />}
          <LeaveOrganization company={response.data} />
          <StartOrganization company={response.data} />
          <DeleteCompany company={response.data} />
        </>
      )}
    </SettingsFrame>
  );
}

/** The company's custom fields; each saves on blur. */
function CompanyFields({ company }: { company: Company }) {
  const mayEdit = usePermission('company.edit');
  const { mutate, error } = useApiMutation(companies.updateCompany, {
    success: t('Information updated successfully'),
    invalidates: [companies.getCompany],
    silent: (r) => Object.keys(r.fields).some((name) => name.startsWith('eav_attribute_values.')),
  });
  if (!useFields(entityOf.company).fields.length) return null;
  const errors = Object.fromEntries(
    Object.entries(error?.fields ?? {}).map(([name, why]) => [
      name.replace('eav_attribute_values.', ''),
      why,
    ]),
  );
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.company}
        values={company.eav_attribute_values}
        disabled={!mayEdit}
        errors={errors}
        onChange={(eav_attribute_values) =>
          void mutate({ params: { id: company.id }, body: { eav_attribute_values } })
        }
      />
    </Section>
  );
}

function DeleteCompany({ company }: { company: Company }) {
  const mayDelete = usePermission('company.delete');
  const [gone, setGone] = useState(false);
  const { mutate, isPending } = useApiMutation(companies.deleteCompany, {
    invalidates: [companies.listCompaniesSlim, companies.getUser],
  });
  if (!mayDelete || gone) return null;
  const remove = async (): Promise<void> => {
    if (
      !(await confirmTyped({
        title: t('Delete this company?'),
        requiredText: company.name,
        confirmLabel: t('Delete company'),
        body: t('Permanently deletes the company, its roles and its settings.'),
      }))
    )
      return;
    if (!(await mutate({ params: { id: company.id } }))) return;
    setGone(true);
    toast.success(t('{name} was deleted', { name: company.name }));
    selectCompany(null);
    navigate('/select-company');
  };
  return (
    <Section
      title={t('Delete company')}
      about={t('Only an account with no numbers or activity can be deleted.')}
      action={
        <Button color="red" variant="default" loading={isPending} onClick={() => void remove()}>
          {t('Delete')}
        </Button>
      }
    />
  );
}

import { Button } from '@mantine/core';
import { companies, organizations, type Answer } from '#contract';
import { confirm, Section, t, useApiMutation, useUser } from '#ui';

const invalidates = [
  companies.getCompany,
  companies.getUser,
  companies.listCompaniesSlim,
  organizations.listOrganizations,
];

/** Takes one's own company out of its organization, after a confirmation. */
export function useLeaveOrganization(onLeft: (companyId: number) => void = () => undefined) {
  const { mutate, isPending } = useApiMutation(organizations.leaveOrganization, {
    success: t('The company left the organization'),
    invalidates,
    onSuccess: ({ data }) => onLeft(data.company_id),
  });
  const leave = async (companyId: number): Promise<void> => {
    const yes = await confirm({
      title: t('Leave the organization?'),
      body: t('Its administrators lose access. People with a role in the company keep it.'),
      confirmLabel: t('Leave organization'),
    });
    if (yes) await mutate({ params: { companyId } });
  };
  return { leave, isPending };
}

/** In company settings, for the owner of a company in an organization. */
export function LeaveOrganization({
  company,
}: {
  company: Answer<typeof companies.getCompany>['data'];
}) {
  const user = useUser();
  const { leave, isPending } = useLeaveOrganization();
  const isOwner = user?.companies.some((c) => c.id === company.id && c.role === 'owner');
  const organization = user?.organizations.find((o) => o.id === company.organization_id);
  if (!isOwner || !organization) return null;
  return (
    <Section
      title={t('Organization')}
      about={t('This company is part of {name}. As its owner you can take it out at any time.', {
        name: organization.name,
      })}
      action={
        <Button variant="default" loading={isPending} onClick={() => void leave(company.id)}>
          {t('Leave')}
        </Button>
      }
    />
  );
}

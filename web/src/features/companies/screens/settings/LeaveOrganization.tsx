import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { companies, organizations, type Answer } from '#contract';
import {
  bindFieldErrors,
  confirm,
  navigate,
  Section,
  t,
  useApiMutation,
  usePermission,
  useUser,
} from '#ui';
import { NameForm, useNameForm } from '../../NameForm.tsx';

type Company = Answer<typeof companies.getCompany>['data'];

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
export function LeaveOrganization({ company }: { company: Company }) {
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

/** In company settings, for the owner of a company in no organization: begins one with it. */
export function StartOrganization({ company }: { company: Company }) {
  const user = useUser();
  const mayCreate = usePermission('organization.create');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isOwner = user?.companies.some((c) => c.id === company.id && c.role === 'owner');
  if (!isOwner || !mayCreate || company.organization_id !== null) return null;
  return (
    <Section
      title={t('Organization')}
      about={t('Run several companies together, with administrators for all of them.')}
      action={
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('New organization')}
        </Button>
      }
    >
      <Modal
        closeButtonProps={{ 'aria-label': t('Close') }}
        opened={isOpen}
        onClose={close}
        title={t('New organization')}
      >
        <OrganizationForm company={company} onClose={close} />
      </Modal>
    </Section>
  );
}

function OrganizationForm({ company, onClose }: { company: Company; onClose: () => void }) {
  const form = useNameForm();
  const { mutate, isPending } = useApiMutation(organizations.createOrganization, {
    success: t('Organization created'),
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    onSuccess: () => navigate('/organization'),
  });
  const create = (name: string) =>
    mutate({ body: { name, timezone: company.timezone, companyIds: [company.id] } });
  return (
    <NameForm
      form={form}
      description={t('{company} joins it. You can take it out at any time.', {
        company: company.name,
      })}
      submitLabel={t('Create organization')}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={(name) => void create(name)}
    />
  );
}

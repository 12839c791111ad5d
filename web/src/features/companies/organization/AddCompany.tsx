import { useState } from 'react';
import { Button, Menu, Modal, ScrollArea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { companies, organizations } from '#contract';
import { bindFieldErrors, t, useApiMutation, useUser } from '#ui';
import { NameForm, useNameForm } from '../NameForm.tsx';
import type { Organization } from './OrganizationPage.tsx';

/** Adds a company to an organization: a new one, or one that the person owns and that is in none. */
export function AddCompany({ organization }: { organization: Organization }) {
  const user = useUser();
  const [isMaking, setMaking] = useState(false);
  const { attach } = useAttach(organization);
  const free = (user?.companies ?? []).filter(
    (c) => c.organization_id === null && c.role === 'owner',
  );
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('Add company')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setMaking(true)}>{t('New company')}</Menu.Item>
          {free.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Label>{t('Your companies')}</Menu.Label>
              <ScrollArea.Autosize mah={280} type="auto">
                {free.map((c) => (
                  <Menu.Item key={c.id} onClick={() => void attach(c.id)}>
                    {c.name}
                  </Menu.Item>
                ))}
              </ScrollArea.Autosize>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        closeButtonProps={{ 'aria-label': t('Close') }}
        opened={isMaking}
        onClose={() => setMaking(false)}
        title={t('New company')}
      >
        <NewCompany organization={organization} onClose={() => setMaking(false)} />
      </Modal>
    </>
  );
}

const useAttach = (organization: Organization) => {
  const { mutate } = useApiMutation(organizations.attachOrganizationCompany, {
    success: t('Organization updated'),
    invalidates: [
      organizations.listOrganizationCompanies,
      organizations.listOrganizations,
      companies.getUser,
    ],
  });
  return {
    attach: (companyId: number) => mutate({ params: { id: organization.id }, body: { companyId } }),
  };
};

function NewCompany({
  organization,
  onClose,
}: {
  organization: Organization;
  onClose: () => void;
}) {
  const form = useNameForm();
  const { attach } = useAttach(organization);
  const { mutate, isPending } = useApiMutation(companies.createCompany, {
    onFieldErrors: bindFieldErrors(form, { 'company_info.name': 'name' }),
    invalidates: [companies.listCompaniesSlim, companies.getUser],
  });
  const create = async (name: string): Promise<void> => {
    const { timezone } = organization;
    const made = await mutate({ body: { company_info: { name, timezone } } });
    if (!made) return;
    // If it can't be added now, it stands in the menu of one's companies.
    await attach(made.data.id);
    onClose();
  };
  return (
    <NameForm
      form={form}
      description={t('You will be its owner. It joins {organization}.', {
        organization: organization.name,
      })}
      submitLabel={t('Create company')}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={(name) => void create(name)}
    />
  );
}

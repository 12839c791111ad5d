import { Menu } from '@mantine/core';
import {} from '@tabler/icons-react';
import { organizations, type Answer } from '#contract';
import { confirm, t, useApiMutation } from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import type { Organization } from './OrganizationPage.tsx';

type Account = Answer<typeof organizations.listOrganizationCompanies>['data'][number];
type Effects = Answer<typeof organizations.updateAccountStatus>['data']['effects'];

const verbs = {
  0: () => t('Reactivate'),
  1: () => t('Park'),
  2: () => t('Deactivate'),
} as const;

/** What can be done with a company of an organization. Each asks first, naming what it does. */
export function AccountMenu({
  organization,
  account,
}: {
  organization: Organization;
  account: Account;
}) {
  const { change, takeOut } = useAccountActions(organization, account);
  const targets = ([0, 1, 2] as const).filter((to) => to !== account.status);
  return (
    <RowMenu name={account.name}>
      {targets.map((to) => (
        <Menu.Item key={to} onClick={() => void change(to)}>
          {verbs[to]()}
        </Menu.Item>
      ))}
      {account.status === 0 && (
        <Menu.Item color="red" onClick={() => void takeOut()}>
          {t('Take out of the organization')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}

function useAccountActions(organization: Organization, account: Account) {
  const status = useApiMutation(organizations.updateAccountStatus);
  const apply = useApiMutation(organizations.updateAccountStatus, {
    success: t('Organization updated'),
  });
  const detach = useApiMutation(organizations.detachOrganizationCompany, {
    success: t('Organization updated'),
  });
  const change = async (to: 0 | 1 | 2): Promise<void> => {
    const input = { companyId: account.id, status: to };
    const params = { id: organization.id };
    const shown = await status.mutate({ params, body: { ...input, dry_run: true } });
    if (!shown) return;
    const isSure = await confirm({
      title: t('{verb} {company}?', { verb: verbs[to](), company: account.name }),
      body: effectsText(to, shown.data.effects),
      confirmLabel: verbs[to](),
      danger: to !== 0,
    });
    if (isSure) await apply.mutate({ params, body: input });
  };
  const takeOut = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Take {company} out?', { company: account.name }),
      body: t('Organization administrators lose access. Roles in the company itself stay.'),
      confirmLabel: t('Take out'),
      danger: true,
    });
    if (isSure) await detach.mutate({ params: { id: organization.id, companyId: account.id } });
  };
  return { change, takeOut };
}

/** What a change of status does, in sentences. */
function effectsText(to: 0 | 1 | 2, effects: Effects): string {
  const facts = {
    numbers: effects.numbers,
    users: effects.users,
    campaigns: effects.campaigns.length,
    ports: effects.ports,
    texts: effects.scheduled_texts,
  };
  if (to === 0)
    return t(
      'Calls and texts work again, and {users, plural, one {# person gets} other {# people get}} access back. Paused campaigns wait until they are resumed.',
      facts,
    );
  if (to === 1)
    return t(
      'No texts, faxes or calls are sent. Callers of {numbers, plural, one {# number} other {# numbers}} hear a message or reach voicemail, and incoming texts are still received. Campaigns that pause: {campaigns}. Scheduled texts that fail: {texts}. Ports that continue: {ports}. Billing continues.',
      facts,
    );
  return t(
    '{users, plural, one {# person loses} other {# people lose}} access at once. Only organization administrators get in. Callers of {numbers, plural, one {# number} other {# numbers}} hear that it isn’t in service. Campaigns that pause: {campaigns}. Scheduled texts that fail: {texts}. Ports that continue: {ports}. Billing continues.',
    facts,
  );
}

import { Menu } from '@mantine/core';
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
          {t('Remove from organization')}
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
      title: t('Remove {company}?', { company: account.name }),
      body: t('Organization administrators lose access. Roles in the company itself stay.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await detach.mutate({ params: { id: organization.id, companyId: account.id } });
  };
  return { change, takeOut };
}

/** What a change of status does, in sentences. What there is none of isn't mentioned. */
function effectsText(to: 0 | 1 | 2, effects: Effects): string {
  const { numbers, users, ports } = effects;
  const callers = { n: numbers };
  if (to === 0)
    return sentences(
      t('Calls and texts work again.'),
      users > 0 &&
        t('{n, plural, one {# person gets} other {# people get}} access back.', { n: users }),
      t('Paused campaigns wait until they are resumed.'),
    );
  const stops = sentences(
    effects.campaigns.length > 0 &&
      t('{n, plural, one {# campaign pauses} other {# campaigns pause}}.', {
        n: effects.campaigns.length,
      }),
    effects.scheduled_texts > 0 &&
      t('{n, plural, one {# scheduled text fails} other {# scheduled texts fail}}.', {
        n: effects.scheduled_texts,
      }),
    ports > 0 && t('{n, plural, one {# port continues} other {# ports continue}}.', { n: ports }),
    t('Billing continues.'),
  );
  if (to === 1)
    return sentences(
      t('No texts, faxes or calls are sent.'),
      numbers > 0 &&
        t(
          'Callers of {n, plural, one {# number} other {# numbers}} hear a message or reach voicemail, and incoming texts are still received.',
          callers,
        ),
      stops,
    );
  return sentences(
    users > 0 &&
      t('{n, plural, one {# person loses} other {# people lose}} access at once.', { n: users }),
    t('Only organization administrators get in.'),
    numbers > 0 &&
      t(
        'Callers of {n, plural, one {# number} other {# numbers}} hear that it isn’t in service.',
        callers,
      ),
    stops,
  );
}

const sentences = (...all: (string | false)[]): string => all.filter(Boolean).join(' ');

import { Anchor } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { companyRoles, grantOf, roleList, type EffectiveRole } from '#contract';
import { permissionGroups } from '#contract/permission-labels';
import { Section, t, usePermission } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { scopeLabel, useSwitches } from '../people/PersonPermissions.tsx';
import css from '../people/permissions.module.css';

const shownRoles: EffectiveRole[] = [
  ...companyRoles.filter((role) => role !== 'deactivated'),
  'org-administrator',
];
const infoOf = (role: EffectiveRole) => roleList.find((r) => r.id === role);

/** What each role may do in this company, with its settings applied. */
export default function SettingsRoles() {
  const mayChange = usePermission('settings.edit');
  return (
    <SettingsFrame title={t('Roles')} description={t('What each role can do in this company.')}>
      <Section title={t('The roles')}>
        <RoleDescriptions />
      </Section>
      <Section
        title={t('Permissions')}
        about={
          mayChange ? (
            <>
              {t('Some rows for users and reporting follow the company’s settings.')}{' '}
              <Anchor href="/settings/general" inherit>
                {t('Change them in the general settings')}
              </Anchor>
            </>
          ) : (
            t('To change a role or these settings, ask an owner or administrator.')
          )
        }
      >
        {/* Can be scrolled by keyboard. */}
        <div className={css.scroll} role="region" aria-label={t('Permissions')} tabIndex={0}>
          <PermissionTable />
        </div>
      </Section>
    </SettingsFrame>
  );
}

/** A check mark, the words of a part, or a pale dash. */
function Granted({ label }: { label: string | null }) {
  if (label === null)
    return (
      <span className={css.none} role="img" aria-label={t('No')}>
        –
      </span>
    );
  return label === t('Yes') ? <IconCheck size={16} aria-label={t('Yes')} role="img" /> : label;
}

const RoleDescriptions = () => (
  <dl className={css.roles}>
    {shownRoles.map((role) => (
      <div key={role}>
        <dt>{t(infoOf(role)?.label ?? role)}</dt>
        <dd>{t(infoOf(role)?.description ?? '')}</dd>
      </div>
    ))}
  </dl>
);

function PermissionTable() {
  const switches = useSwitches();
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('Permission')}</th>
          {shownRoles.map((role) => (
            <th key={role} scope="col" title={t(infoOf(role)?.description ?? '')}>
              {t(infoOf(role)?.label ?? role)}
            </th>
          ))}
        </tr>
      </thead>
      {permissionGroups.map(({ label, permissions }) => (
        <tbody key={label}>
          <tr className={css.section}>
            <th scope="rowgroup" colSpan={shownRoles.length + 1}>
              {t(label)}
            </th>
          </tr>
          {permissions.map(([key, text]) => (
            <tr key={key}>
              <th scope="row">{t(text)}</th>
              {shownRoles.map((role) => (
                <td key={role}>
                  <Granted label={scopeLabel(grantOf(role, key, switches))} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

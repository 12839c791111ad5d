import { Anchor } from '@mantine/core';
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
  const switches = useSwitches();
  const mayChange = usePermission('settings.edit');
  return (
    <SettingsFrame title={t('Roles')} description={t('What each role can do in this company.')}>
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
        <div className={css.scroll}>
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
                        {scopeLabel(grantOf(role, key, switches)) ?? (
                          <span className={css.none}>{t('No')}</span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      </Section>
    </SettingsFrame>
  );
}

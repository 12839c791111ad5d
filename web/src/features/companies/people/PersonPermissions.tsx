import { Stack, Text } from '@mantine/core';
import { companies, grantOf, type EffectiveRole, type Grant } from '#contract';
import { permissionGroups } from '#contract/permission-labels';
import { t, useApiQuery, useCompanyId } from '#ui';
import css from './permissions.module.css';

/** The company's settings that change what roles may do; the defaults until they are loaded. */
export function useSwitches(): Record<string, unknown> {
  const id = useCompanyId() ?? 0;
  const { response } = useApiQuery(companies.getCompany, { params: { id } }, { enabled: id !== 0 });
  return response?.data.settings ?? {};
}

/** A scope of the role matrix in words; null: the person may not. */
export function scopeLabel(grant: Grant): string | null {
  if (grant === 'none') return null;
  if (grant === 'assigned') return t('Assigned numbers');
  return grant === 'own' ? t('Own only') : t('Yes');
}

/** What someone who acts in these roles may do, by group. */
export function PersonPermissions({ roles }: { roles: readonly EffectiveRole[] }) {
  const switches = useSwitches();
  const groups = permissionGroups
    .map(({ label, permissions }) => ({
      label,
      granted: permissions.flatMap(([key, text]) => {
        const grant = grantOf(roles, key, switches);
        return grant === 'none' ? [] : [{ key, text, grant }];
      }),
    }))
    .filter(({ granted }) => granted.length > 0);
  return (
    <details className={css.details}>
      <summary>{t('What can this person do?')}</summary>
      {groups.length === 0 ? (
        <Text c="dimmed" fz="sm">
          {t('Nothing: this person is deactivated.')}
        </Text>
      ) : (
        <Stack gap="sm" mt="xs">
          {groups.map(({ label, granted }) => (
            <div key={label}>
              <h4 className={css.group}>{t(label)}</h4>
              <ul className={css.list}>
                {granted.map(({ key, text, grant }) => (
                  <li key={key}>
                    {t(text)}
                    {grant !== 'all' && <small>{scopeLabel(grant)}</small>}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Stack>
      )}
    </details>
  );
}

import { t, zoneName } from '#ui';
import { Choice } from './Choice.tsx';

/** The choice of the selected company; a select knows no empty one. */
const HERE = 'company';

interface Whose {
  organization: string;
  company: string;
  number: string;
  phrases: string;
}

/** The selected company, or all of an organization, or one of these. */
export function WhoseCalls({
  filters,
  set,
  scopes,
  organization,
  companyName,
  companies,
}: {
  filters: Whose;
  set: (choices: Partial<Whose>) => void;
  scopes: readonly { id: number; name: string }[];
  organization: { id: number } | null;
  companyName: string;
  /** Those of the organization that are counted. */
  companies: readonly { id: number; name: string }[];
}) {
  return (
    <>
      {scopes.length > 0 && (
        <Choice
          label={t('Companies')}
          width={220}
          isRequired
          value={organization ? String(organization.id) : HERE}
          onChange={(one) =>
            set({ organization: one === HERE ? '' : one, company: '', number: '', phrases: '' })
          }
          options={[
            [HERE, companyName],
            ...scopes.map(({ id, name }) => [String(id), t('All of {name}', { name })] as const),
          ]}
        />
      )}
      {organization && (
        <Choice
          label={t('Company')}
          width={180}
          value={filters.company}
          onChange={(company) => set({ company })}
          options={companies.map(({ id, name }) => [String(id), name])}
        />
      )}
    </>
  );
}

/** Which days are shown of how many companies, and in which zone. */
export const aboutOrganization = (
  days: string,
  { name }: { name: string },
  companies: number,
  tz: string,
): string =>
  t('{days}. {n, plural, one {# company} other {# companies}} of {name}. Days in {zone}.', {
    ...{ days, n: companies, name },
    zone: zoneName(tz),
  });

import { reportLinks } from '#contract';
import { Section, t, useApiQuery, useCompanyId } from '#ui';
import { LinkList } from './LinkList.tsx';

/** Every link that the person can withdraw. Nothing until there is one. */
export default function SharedLinks() {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    reportLinks.listReportLinks,
    { query: { company_id: companyId } },
    { silent: true },
  );
  const links = response?.data ?? [];
  if (links.length === 0) return null;
  return (
    <Section title={t('Shared links')}>
      <LinkList links={links} isNamed />
    </Section>
  );
}

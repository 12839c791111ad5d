import { Facts, PhoneNumber, t, Time } from '#ui';
import { crmName, sourceName, type Contact } from '../labels.ts';

/** Number, carrier, source and dates of a contact. */
export function ContactFacts({ contact: c }: { contact: Contact }) {
  return (
    <Facts
      rows={[
        [t('Number'), c.masked ? c.number : <PhoneNumber key="n" value={c.number} copy />],
        c.otherNumbers.length > 0 && [
          t('Other numbers'),
          <span key="o">
            {c.otherNumbers.map((n) => (
              <span key={n} style={{ display: 'block' }}>
                {c.masked ? n : <PhoneNumber value={n} copy />}
              </span>
            ))}
          </span>,
        ],
        c.nameFrom !== null && [t('Name'), t('From {crm}', { crm: crmName(c.nameFrom) })],
        c.companyNameFrom !== null && [
          t('Company'),
          t('From {crm}', { crm: crmName(c.companyNameFrom) }),
        ],
        c.crmOwner !== null && [
          t('Owner'),
          t('{name} in {crm}', { name: c.crmOwner.name, crm: crmName(c.crmOwner.provider) }),
        ],
        c.carrier !== null && [t('Carrier'), c.carrier],
        [t('Source'), sourceName(c.source)],
        [t('Added'), <Time key="a" at={c.addedAt} as="instant" />],
        [t('Updated'), <Time key="u" at={c.updatedAt} as="ago" />],
      ]}
    />
  );
}

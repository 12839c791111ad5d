import { nameParts } from '#contract/contacts/name-parts';
import { formatPhoneNumber } from '#ui';
import { tagPattern } from './canned-replies.ts';

interface TemplateValues {
  name: string;
  phone: string;
  myName: string;
  company: string;
}
/**
 * Fills in the tags: `{{first_name}}`, or `{{first_name|there}}` with a fallback for contacts
 * without a value. Unknown tags stay, so that the sender sees them.
 */
export function fillTemplate(body: string, values: TemplateValues): string {
  const { first, last } = nameParts(values.name);
  const known: Record<string, string> = {
    first_name: first,
    last_name: last,
    name: values.name.trim(),
    phone: formatPhoneNumber(values.phone),
    my_name: values.myName,
    company: values.company,
  };
  return body
    .replace(tagPattern, (whole, tag: string, fallback: string | undefined) => {
      const value = known[tag.toLowerCase()];
      return value === undefined ? whole : value || fallback?.trim() || '';
    })
    .replace(/ {2,}/g, ' ');
}
